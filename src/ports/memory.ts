import type { MemoryHit, MemorySource, MemoryTarget, NewMemory } from "../schema/memory.ts";
import type { SessionPlace } from "../schema/session-place.ts";

/** The memories of all agents, as far as a conversation of one of them may use them. */
export type Memories = {
  /** Its place decides what is the agent's own partition there, and what it may read besides. */
  of(place: SessionPlace): Memory;
};

/** All reject with AgentError `memory.unavailable`, `activity.aborted`. */
export type Memory = {
  /** Best first; files, and past tasks of the same chat where `kinds` has them. */
  search(request: MemorySearch): Promise<readonly MemoryHit[]>;
  /** Resolves once it stands in its file and is found by its words. A second time under the same key it is the same entry.
   *  Rejects also with `memory.refused`: nothing was written; the message says why. */
  write(request: MemoryWrite): Promise<{ readonly path: string }>;
};

export type MemorySearch = {
  readonly text: string;
  /** What policy opens to the run; nothing else is looked at. Past tasks are among its own. */
  readonly sources: readonly MemorySource[];
  readonly kinds: readonly MemoryHit["kind"][];
  readonly limit: number;
  /** Paths of documents that are not looked at. */
  readonly except?: readonly string[];
  /** How long the meaning of the text may take to be known before its words alone decide. */
  readonly meaning_ms?: number;
  readonly signal: AbortSignal;
};

export type MemoryWrite = {
  readonly target: MemoryTarget;
  readonly entry: NewMemory;
  readonly key: string;
  readonly session_id: string;
  readonly trace_id: string;
  readonly signal: AbortSignal;
};

/** Memory as one call of a tool sees it: its place, its reach and its sources are settled already. */
export type CallMemory = {
  /** Best first. Rejects with `memory.unavailable`, `activity.aborted`. */
  search(text: string, limit: number): Promise<readonly MemoryHit[]>;
  /** As `Memory.write`; `memory.refused` also for what the run was told by memory itself, and for too many writes. */
  write(text: string, target: MemoryTarget): Promise<{ readonly path: string }>;
};
