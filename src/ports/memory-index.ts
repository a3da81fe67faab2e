import type { MemoryDocument, MemoryHit, MemoryKind, MemoryPartition } from "../schema/memory.ts";

/** What makes memory findable; everything in it can be made again from the files. One writer; searches may run meanwhile.
 *  All reject with AgentError `index.unavailable` (the file, the disk), `index.closed`. */
export type MemoryIndex = {
  /** Path and version of each document that it holds. */
  documents(): Promise<readonly IndexedDocument[]>;
  /** Replaces what was known of that path, whole or not at all; unchanged chunks keep their vectors, new ones get theirs in the
   *  background and are found by their words meanwhile. */
  put(document: MemoryDocument): Promise<void>;
  /** All of them or none. Nothing of their text is left in the file afterwards, vectors included. Many at once cost little more than one. */
  remove(paths: readonly string[]): Promise<void>;
  partitions(): Promise<readonly MemoryPartition[]>;
  /** Best first. Exact: only these partitions and kinds, whatever their size. Words of `text` are words, never operators. An empty
   *  text finds nothing. While vectors are missing or the embedder does not answer, words alone decide. */
  search(query: MemoryQuery): Promise<readonly MemoryHit[]>;
  stats(): Promise<IndexStats>;
  /** Forgets all, as if the file had been deleted. */
  clear(): Promise<void>;
  close(): Promise<void>;
};

export type IndexedDocument = {
  readonly path: string;
  readonly version: string;
  readonly kind: MemoryKind;
};

export type MemoryQuery = {
  readonly text: string;
  readonly partitions: readonly MemoryPartition[];
  readonly kinds: readonly MemoryKind[];
  readonly limit: number;
  /** Paths of documents that are found as if they were not there. */
  readonly except?: readonly string[];
  /** How long the embedder may take for the question before words alone decide; 3 seconds where it is left out, and at most. */
  readonly meaning_ms?: number;
  readonly signal?: AbortSignal;
};

export type IndexStats = {
  readonly documents: number;
  readonly chunks: number;
  /** Chunks whose vector the present embedder has made; all of them once it has caught up. */
  readonly embedded: number;
  readonly embedder: string | null;
  /** Why vectors are missing, while they are: of the last attempt. */
  readonly trouble: string | null;
  readonly bytes: number;
};
