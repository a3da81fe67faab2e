/** The files of memory below one root, by paths relative to it (schema/relative-path.ts). People change them at any time.
 *
 *  No link is followed; links, FIFOs, devices, hidden and temporary files are not there. Rejects with AgentError only:
 *  `memory.refused` (a path that leads elsewhere or names no plain file, no permission), `memory.unavailable` (the disk). */
export type MemoryFiles = {
  /** Every plain file, in the order of their paths, and what is left out with the reason; bounded. */
  list(): Promise<MemoryFileList>;
  /** Undefined: there is none. */
  read(path: string): Promise<MemoryFileBytes | undefined>;
  /** Writes it beside its place, durable, under a name that no other staging has had.
   *  @returns the name */
  stage(path: string, content: Uint8Array): Promise<string>;
  /** Whether that staging waits still: it was neither put into its place nor discarded. */
  isStaged(path: string, name: string): Promise<boolean>;
  discard(path: string, name: string): Promise<void>;
  /** The staged file takes the place of one that still holds `expected` (a hash; null: of none). */
  replace(
    path: string,
    staged: { readonly name: string; readonly expected: string | null },
  ): Promise<Replaced>;
  /** Takes it away where it still holds `expected`; false: it holds something else. */
  remove(path: string, expected: string): Promise<boolean>;
  /** Discards what a crash left staged, but for these names. */
  tidy(kept: ReadonlySet<string>): Promise<void>;
  /** Calls with paths that may have changed, some time after they did; null: any may have. @returns stops it */
  watch(changed: (path: string | null) => void): Promise<() => Promise<void>>;
};

export type MemoryFileEntry = {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds. */
  readonly modified_at: number;
  /** Milliseconds, of its rights too; the same and the same size: most likely the same contents, and as readable. */
  readonly changed_at: number;
};

export type MemoryFileList = {
  readonly files: readonly MemoryFileEntry[];
  readonly skipped: readonly SkippedFile[];
};

/** Not done: it holds something else, and the staging waits still. `late`: what somebody who had opened the file before has written
 *  into what it was, at that moment; it stands nowhere else. */
export type Replaced = { readonly isDone: boolean; readonly late?: Uint8Array };

export type SkippedFile = { readonly path: string; readonly reason: string };

/** `content` is null for a file that is larger than is read at all. */
export type MemoryFileBytes = {
  readonly bytes: number;
  readonly content: Uint8Array | null;
  /** SHA-256 of the contents in hexadecimal; of what is too large, of its size and time. */
  readonly hash: string;
};
