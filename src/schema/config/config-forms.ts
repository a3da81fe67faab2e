import { z } from "zod";

/** The small shapes that configuration files are made of. */

/** What this version cannot do yet, to complete "this version does not … yet"; of a value's choices, a function of the value. */
export type NotYet = string | ((value: unknown) => string | undefined);

declare module "zod" {
  interface GlobalMeta {
    /** Marks a key that is read and checked, and has no effect so far. */
    notYet?: NotYet;
  }
}

/** `form` completes "expected …" in faults and the docs. */
export function textOfForm(form: string, pattern: RegExp) {
  return z.string().regex(pattern, { error: form }).meta({ title: form });
}

const idPattern = "[a-z0-9][a-z0-9_-]{0,63}";

export const configId = textOfForm(
  "an id: lower-case letters, digits, _ and -, at most 64, the first a letter or digit",
  new RegExp(`^${idPattern}$`),
);

export const label = z.string().min(1).max(64);

export const secretReference = textOfForm(
  "env:NAME or file:PATH, never the secret itself: export it as a variable, or put it into a file of mode 0600",
  /^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:[^\p{Cc}]+)$/u,
);

export const modelReference = textOfForm(
  "auto or provider/model, such as anthropic/claude-sonnet-5-5",
  /^(?:auto|[a-z0-9][a-z0-9_-]*\/[^\s\p{Cc}]+)$/u,
);

export const modelName = textOfForm(
  "provider/model, such as anthropic/claude-sonnet-5-5",
  /^[a-z0-9][a-z0-9_-]*\/[^\s\p{Cc}]+$/u,
);

export const path = textOfForm("a path without control characters", /^[^\p{Cc}]+$/u).max(4_096);

export const baseUrlForm = "an http: or https: URL without user, password, query or fragment";

/** The pattern says what a JSON schema can say; the check behind it is the exact one. */
export const baseUrl = z
  .string()
  .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s?#@]+$/, { error: baseUrlForm, abort: true })
  .refine(isPlainHttpUrl, { error: baseUrlForm })
  .meta({ title: baseUrlForm });

function isPlainHttpUrl(value: string): boolean {
  return isHttpUrl(value) && new URL(value).search === "";
}

const httpUrlForm = "an http: or https: URL without user, password or fragment";

export const httpUrl = z
  .string()
  .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s#@\p{Cc}]+$/u, { error: httpUrlForm, abort: true })
  .refine(isHttpUrl, { error: httpUrlForm })
  .meta({ title: httpUrlForm });

const httpsUrlForm = "an https: URL without user, password, query or fragment";

export const httpsUrl = z
  .string()
  .regex(/^[Hh][Tt][Tt][Pp][Ss]:\/\/[^\s?#@]+$/, { error: httpsUrlForm, abort: true })
  .refine(isPlainHttpUrl, { error: httpsUrlForm })
  .meta({ title: httpsUrlForm });

function isHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  const isHttp = url.protocol === "http:" || url.protocol === "https:";
  return isHttp && url.username + url.password + url.hash === "";
}

const capabilityForms = [
  // No absolute path, no `..`, nothing that a file's name cannot hold.
  String.raw`fs\.(?:read|write|\*):(?!/)(?!(?:.*/)?\.\.(?:/|$))[^\p{Cc}\p{Cs}]{1,4096}`,
  String.raw`shell\.exec:[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?`,
  String.raw`net\.fetch:(?:\*|(?:\*\.)?[A-Za-z0-9.:\[\]_-]{1,253})`,
  String.raw`memory\.read:(?:\*|own|shared|sessions)`,
  String.raw`memory\.write:(?:\*|own|shared)`,
  String.raw`schedule\.create:(?:\*|own)`,
  // A conversation is whole or nothing: a star within it would stand for itself.
  String.raw`message\.send:(?:\*|${idPattern}/[!-)+-~]{1,256})`,
  String.raw`agent\.spawn:(?:\*|${idPattern})`,
];

const capabilitiesToCome: readonly (readonly [form: RegExp, work: string])[] = [
  [/^agent\.spawn:/, "run sub-agents"],
];

/** A list of patterns has no element of its own in the docs, so that the form has to say it all. */
export const capabilityPattern = textOfForm(
  "a capability such as fs.read:notes/** or shell.exec:git status: fs.read, fs.write or fs.* and a path within the workspace without .., shell.exec and a command, net.fetch and a host, memory.read and own, shared or sessions, memory.write and own or shared, schedule.create:own, message.send and connector/conversation, agent.spawn and a name",
  new RegExp(`^(?:${capabilityForms.join("|")})$`, "u"),
).meta({
  notYet: (value) =>
    capabilitiesToCome.find(([form]) => typeof value === "string" && form.test(value))?.[1],
});
