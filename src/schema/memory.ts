/** Words of long-term memory. Markdown files below `<home>/memory` are the memory; paths here are relative to that directory. */

/** `<agent>/<connector>`, below it `<agent>/<connector>/sub/<run>`; or `shared`, whose files are below `shared/concepts`. */
export type MemoryPartition = string;

export const sharedPartition: MemoryPartition = "shared";

/** Whose memory an agent reads: its own, and what agents share. */
export const memorySources = ["own", "shared"] as const;
export type MemorySource = (typeof memorySources)[number];

/** A piece of a document as it is found: small, with its place. Lines count from 1, both included. */
export type MemoryChunk = {
  readonly text: string;
  /** The headings that it stands under, outermost first, joined by ` > `; a daily file's date comes before them. */
  readonly heading: string;
  readonly line_start: number;
  readonly line_end: number;
  /** Whose text it is, as far as the file says: `user:1001`, `web:example.com`; empty: somebody wrote it by hand. */
  readonly origins: readonly string[];
};

/** `memory`: of a file; `task`: what was asked of the agent earlier, with its outcome. */
export type MemoryKind = "memory" | "task";

/** Everything that is known of one file, or of one past task. Chunks stand in reading order: neighbours in the list are neighbours. */
export type MemoryDocument = {
  readonly path: string;
  readonly partition: MemoryPartition;
  readonly kind: MemoryKind;
  /** Of its contents: another version is indexed anew. */
  readonly version: string;
  readonly chunks: readonly MemoryChunk[];
};

export type MemoryHit = {
  /** From 0 to 1; comparable within one search. */
  readonly score: number;
  readonly path: string;
  readonly partition: MemoryPartition;
  readonly kind: MemoryKind;
  readonly line_start: number;
  readonly line_end: number;
  readonly heading: string;
  readonly text: string;
  readonly origins: readonly string[];
};

/** How a prompt begins what was recalled; nobody said it. */
export const recallMark = "[Recalled from memory by statehive, not said by anybody now.";

/** Where a new entry goes: today's file, `MEMORY.md`, or a concept that agents share. */
export type MemoryTarget =
  | { readonly to: "daily" }
  | { readonly to: "long_term" }
  | { readonly to: "shared"; readonly concept: string };

export type NewMemory = {
  readonly text: string;
  readonly origins: readonly string[];
};

/** One change of files, in the order given; each file is replaced whole or not at all. */
export type FileChange =
  /** `at` decides the day, also when it is done later. */
  | {
      readonly op: "append";
      readonly partition: MemoryPartition;
      readonly target: MemoryTarget;
      readonly entries: readonly NewMemory[];
      readonly at: number;
    }
  /** `text` is null: the file goes. `expected` is the hash of what it must hold now, null: no file; absent: whatever it holds. */
  | {
      readonly op: "replace";
      readonly path: string;
      readonly text: string | null;
      readonly expected?: string | null;
    }
  /** The same with a kept version (ports/memory-versions.ts) as its text, so that the text stands in no event and no snapshot. */
  | {
      readonly op: "use";
      readonly path: string;
      readonly version: string | null;
      readonly expected?: string | null;
    }
  /** Takes an earlier change back, whatever came after it elsewhere in the file; `whole`: the file as it was before that change. */
  | { readonly op: "undo"; readonly change_id: string; readonly whole: boolean }
  /** Takes what stands there out of every file and every kept version; `text` is what was asked for: past tasks that hold it are
   *  found no more. */
  | { readonly op: "forget"; readonly passages: readonly Passage[]; readonly text?: string }
  /** Somebody else changed it: what it holds now is kept as a version, and what it held when it was seen: a kept version, by its hash. */
  | { readonly op: "observe"; readonly path: string; readonly version?: string };

/** Lines of a kept version, both included. */
export type Passage = {
  readonly version: string;
  readonly line_start: number;
  readonly line_end: number;
};

/** Why a file changed: the model wrote, a person edited, a change was undone, something was forgotten, the daily tidying, the summary
 *  of a session that ended without a word, facts of turns that were about to be summarised. */
export const memoryChangeKinds = [
  "write",
  "edit",
  "restore",
  "forget",
  "consolidate",
  "episode",
  "flush",
] as const;
export type MemoryChangeKind = (typeof memoryChangeKinds)[number];
