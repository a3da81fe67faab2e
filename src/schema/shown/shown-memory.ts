import { z } from "zod";
import { consolidationNote } from "../consolidation.ts";
import { memoryChangeKinds } from "../memory.ts";
import { isoTime, strings } from "./shown.ts";

/** Memory as people see it: what was found, the files, their changes. Paths are relative to `<home>/memory`; lines count from 1. */

const agent = z.string().nullable().describe("Whose memory it is; null: of all agents.");
const partition = z.string().describe("`<agent>/<connector>`, below it `/sub/<run>`; or `shared`.");

export const shownMemoryHit = z.strictObject({
  score: z.number().describe("From 0 to 1; comparable within one search."),
  kind: z
    .enum(["memory", "task"])
    .describe("Lines of a file, or an earlier task with its outcome."),
  path: z.string(),
  line_start: z.int(),
  line_end: z.int(),
  text: z.string(),
  agent,
  heading: z.string().describe("What it stands under, outermost first."),
  origins: strings.describe("Whose text it is; empty: a person wrote it by hand."),
});

export const shownMemoryFile = z.strictObject({
  path: z.string(),
  partition,
  agent,
  bytes: z.int(),
  modified_at: isoTime,
});

const skippedMemoryFile = z.strictObject({ path: z.string(), reason: z.string() });

export const shownMemoryFiles = z.strictObject({
  files: z.array(shownMemoryFile).readonly(),
  skipped: z.array(skippedMemoryFile).readonly().describe("What is no memory, and why."),
});

export const shownMemoryText = z.strictObject({
  path: z.string(),
  partition,
  agent,
  bytes: z.int(),
  text: z.string(),
});

const is_new = z.boolean().describe("There was no file before.");
const is_gone = z.boolean().describe("There was none afterwards.");

export const shownMemoryChange = z.strictObject({
  id: z.string(),
  at: isoTime,
  path: z.string(),
  partition,
  kind: z.enum(memoryChangeKinds),
  by: z.string().describe("`agent:main`, `user:1001`, `editor`, `cli`, `schedule:consolidate`."),
  reason: z.string(),
  added: z.int().describe("Lines."),
  removed: z.int(),
  is_new,
  is_gone,
  trace_id: z.string(),
  session_id: z.string().nullable(),
  over: strings.describe(
    "Changes of agents in the ten minutes before, of whose memories it left none: an editor may not have known of them.",
  ),
});

export const shownMemoryDiff = shownMemoryChange.extend({
  diff: z
    .string()
    .nullable()
    .describe("Unified; null where a version is not kept any more, or is no text."),
});

export const changedMemoryFile = z.strictObject({
  path: z.string(),
  kind: z.enum(memoryChangeKinds),
  added: z.int(),
  removed: z.int(),
  is_new,
  is_gone,
});

/** `line_start` is that of the file as it is now; in an earlier version it is of that version. */
export const forgottenPassage = z.strictObject({
  path: z.string(),
  line_start: z.int(),
  line_end: z.int(),
  text: z.string(),
});

export const forgotten = z.strictObject({
  passages: z.array(forgottenPassage).readonly().describe("Of the files as they were before."),
  earlier_versions: z.int().describe("Kept versions that held the same."),
  binding: z.string().describe("Of what is to be forgotten: to ask for exactly that."),
  changed: z
    .array(changedMemoryFile)
    .readonly()
    .describe("Empty where nothing was done yet: it was only asked what would be."),
  not_reached: strings.describe("Where it may stand all the same."),
});

export const memoryStats = z.strictObject({
  files: z.int(),
  bytes: z.int().describe("Of the files."),
  skipped: z.array(skippedMemoryFile).readonly(),
  index: z
    .strictObject({
      documents: z.int().describe("Files and past tasks."),
      chunks: z.int(),
      embedded: z.int().describe("Chunks that have a vector; all of them once it has caught up."),
      embedder: z.string().nullable(),
      trouble: z.string().nullable().describe("Why vectors are missing, while they are."),
      bytes: z.int(),
    })
    .nullable()
    .describe("Null: there is none, or it cannot be read."),
  partitions: z
    .array(z.strictObject({ partition, agent, files: z.int(), bytes: z.int() }))
    .readonly(),
});

/** The tidying of one partition. */
export const consolidated = z.strictObject({
  partition,
  state: z.enum(["done", "failed"]),
  is_dry_run: z.boolean(),
  summary: z.string().describe("One line for people."),
  model: z.string().nullable().describe("`provider/model` that was asked; null: none was."),
  notes: z.array(consolidationNote).readonly(),
  files: z
    .array(z.strictObject({ path: z.string(), diff: z.string().describe("Unified.") }))
    .readonly()
    .describe("Those that changed, or would."),
  error: z
    .looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() })
    .nullable()
    .describe("Why the model did not answer, or the files could not be changed."),
});

export type Consolidated = z.output<typeof consolidated>;
export type ShownMemoryHit = z.output<typeof shownMemoryHit>;
export type ShownMemoryFile = z.output<typeof shownMemoryFile>;
export type ShownMemoryChange = z.output<typeof shownMemoryChange>;
export type ForgottenPassage = z.output<typeof forgottenPassage>;
export type MemoryStats = z.output<typeof memoryStats>;
