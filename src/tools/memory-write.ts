import { z } from "zod";
import { visibleText } from "../policy/visible-text.ts";
import type { MemoryTarget } from "../schema/memory.ts";
import { stopIfAborted } from "./abort.ts";
import { defineTool } from "./tool.ts";

const maxTextCharacters = 4_000;
const shownCharacters = 80;

const targets = ["daily", "long_term", "shared"] as const;

type Input = {
  readonly target?: (typeof targets)[number] | undefined;
  readonly concept?: string | undefined;
};

/** Undefined where target and concept do not fit each other. */
function targetOf({ target = "daily", concept }: Input): MemoryTarget | undefined {
  if (target === "shared") return concept === undefined ? undefined : { to: "shared", concept };
  return concept === undefined ? { to: target } : undefined;
}

function whereTo(input: Input): string {
  const target = targetOf(input);
  if (target?.to === "shared") return `in the shared concept ${visibleText(target.concept)}`;
  return target?.to === "long_term" ? "for good, in MEMORY.md" : "in today's notes";
}

function beginning(text: string): string {
  const shown = visibleText(text);
  return shown.length <= shownCharacters ? shown : `${shown.slice(0, shownCharacters)}…`;
}

const summaryOf = (input: Input & { readonly text: string }) =>
  `Remember ${whereTo(input)}: ${beginning(input.text)}`;

export const memoryWriteTool = defineTool({
  name: "memory_write",
  description: {
    what: "Writes one thing down in your long-term memory, which later conversations recall.",
    usage:
      "`text` is one fact, preference or decision that will matter later, in a sentence that can be understood on its own: who, what, " +
      `when; at most ${maxTextCharacters} characters. \`target\` is daily (unless told: today's notes, from which what lasts is promoted later), ` +
      "long_term (MEMORY.md: what holds for good) or shared (the `concept` that agents share; needs permission). The result is the " +
      "file. What is known to be from somebody else (a web page, a file) is kept with its source. What memory itself told you in " +
      "this conversation is refused: it stands there already; write only what is new about it.",
    examples: [
      { input: { text: "Anna's birthday is on May 3rd." }, means: "noted for today" },
      {
        input: { text: "The owner wants answers in German.", target: "long_term" },
        means: "holds for good",
      },
      {
        input: { text: "Staging runs on port 8081.", target: "shared", concept: "staging" },
        means: "for all agents, if policy lets you",
      },
    ],
    notFor:
      "Not for what the conversation itself keeps, for passwords and keys, for what is only true for a moment, or for files (use file_write).",
  },
  input: {
    text: z
      .string()
      .min(1)
      .max(maxTextCharacters)
      .refine((text) => text.trim() !== "", { error: "must not be blank" })
      .describe("What is remembered, in a sentence that stands on its own."),
    target: z.enum(targets).optional().describe("Where it is written; daily unless told."),
    concept: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must be small letters, digits and hyphens, at most 64")
      .optional()
      .describe("With the target shared: the concept that it is about."),
  },
  risk: "guarded",
  recovery: "keyed",
  capabilities: ({ target }) => [target === "shared" ? "memory.write:shared" : "memory.write:own"],
  summary: summaryOf,
  circumstances: (input) => {
    if (targetOf(input) !== undefined) return { ok: true, bound: {}, summary: summaryOf(input) };
    const fault =
      input.concept === undefined
        ? "concept: must be there where target is shared"
        : "concept: belongs to the target shared alone";
    return { ok: false, reason: `tool.invalid_input: memory_write: ${fault}.` };
  },
  lasts: ({ target = "daily" }) => target !== "daily",
  async run({ text, ...input }, { memory, signal }) {
    stopIfAborted(signal);
    const { path } = await memory.write(text, targetOf(input) ?? { to: "daily" });
    return `Written to ${visibleText(path)}.`;
  },
});
