import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formsOf } from "../../src/policy/secret-forms.ts";
import { apiError, type RecordedRequest, type Reply } from "../support/anthropic-server.ts";
import { createJobHome, type JobHome } from "../support/jobs.ts";

/** Secrets that stand in the configuration of a home, and a model that has seen them and repeats them wherever it can. */

export const apiKey = "sk-ant-api03-Zq8vXr2LmT5wYc9KdBn4";
export const bearer = "eyJhbGciOiJIUzI1NiJ9.dG9rZW4tcGF5bG9hZA.k3V9xQ0pLr7s";
export const privateKey = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7/vJ+Zr4m";
export const secrets = [apiKey, bearer, privateKey];

export const base64 = (text: string) => Buffer.from(text).toString("base64");

/** As people and programs write them: as they are, in a URL, in JSON, in hexadecimal, in base64 at every offset. */
function mentions(secret: string): string {
  const encoded = encodeURIComponent(secret);
  return [
    secret,
    `https://x.example/?key=${encoded}&again=${secret}`,
    JSON.stringify({ authorization: `Bearer ${secret}` }),
    Buffer.from(secret).toString("hex"),
    base64(secret),
    base64(`u:${secret}:z`),
    base64(`us:${secret}`),
  ].join("\n");
}

export const everything = secrets.map(mentions).join("\n");

/** Also of one whose bytes stand at another place of the base64. */
const forbidden = secrets.flatMap((secret) => {
  const { literal, base64: shifted } = formsOf(secret);
  return [...literal, ...shifted];
});

/** The forms of secrets that a text holds. */
export const found = (text: string) => forbidden.filter((form) => text.includes(form));

/** The files below a directory that hold one, but for those where a person has put it. */
export function filesWithSecrets(directory: string, own: readonly string[]): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !own.some((name) => path === join(directory, name)))
    .filter((path) => found(`${path}\n${readFileSync(path, "latin1")}`).length > 0);
}

/** Where the secrets stand in such a home. */
export const ownFiles = ["secrets/key", "workspace/main/notes.txt", "workspace/main/long.txt"];

export type Call = readonly [name: string, input: Readonly<Record<string, string>>];

const use = ([name, input]: Call, index: number): Reply => ({
  content: [
    { type: "text", text: `I see ${everything}` },
    { type: "tool_use", id: `c${index}`, name, input },
  ],
  deltas: 97,
});

/** Makes these calls one after the other in each run, and says all that it knows; asked to go wrong, it fails with all of it. */
function blab(calls: readonly Call[]): (request: RecordedRequest) => Reply {
  return ({ messages }) => {
    const told = JSON.stringify(messages.at(-1));
    if (told.includes("go wrong"))
      return apiError(401, "authentication_error", `invalid x-api-key ${everything}`);
    const made = messages.filter(({ role }) => role === "assistant").length;
    const call = calls[made];
    const end: Reply = { content: [{ type: "text", text: `Done: ${everything}` }], deltas: 301 };
    return call === undefined ? end : use(call, made);
  };
}

export async function homeWithSecrets(calls: readonly Call[]): Promise<JobHome> {
  const jobs = await createJobHome({
    script: blab(calls),
    mainYaml: "engine: { durability: process, auth_token: env:DATABASE_TOKEN }\n",
  });
  const write = (path: string, text: string) =>
    writeFileSync(join(jobs.home, path), text, { mode: 0o600 });
  mkdirSync(join(jobs.home, "secrets"), { mode: 0o700 });
  write("secrets/key", `${privateKey}\n`);
  write(
    "config/providers.d/second.yaml",
    "id: second\ntype: anthropic\napi_key: file:secrets/key\n",
  );
  write("workspace/main/notes.txt", everything);
  write("workspace/main/long.txt", `${"some words\n".repeat(2_000)}${everything}\n`.repeat(2));
  const env = { ...jobs.env, ANTHROPIC_API_KEY: apiKey, DATABASE_TOKEN: bearer };
  return { ...jobs, env };
}
