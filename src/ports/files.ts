/** The files of one agent, below one root, addressed by relative paths (schema/relative-path.ts).
 *
 *  No component of a path is ever followed as a link, also while another process swaps directories and links. Symbolic
 *  links, files with more than one hard link, FIFOs, sockets, devices and the kernel's own file systems are refused.
 *
 *  Every operation rejects with an AgentError and nothing else: `file.outside` (the path is absolute, leaves the root or is
 *  malformed), `file.not_found`, `file.refused` (a link or special file, a directory where a file is meant or the reverse,
 *  no permission, a name that is too long), `tool.failed` (the disk is full, an I/O error). None knows `file.binary`: what
 *  bytes mean is the caller's. An operation that rejects has changed nothing but parent directories that it may have made. */
export type Files = {
  stat(path: string): Promise<FileStat>;

  /** Reads at most `maxBytes` from `position` (default 0); fewer at the end of the file, none past it. */
  read(path: string, window: ReadWindow): Promise<FileBytes>;

  /** The whole file in order, opened once, in pieces of bounded size; leaving the loop closes the file. */
  chunks(path: string): AsyncIterable<Uint8Array>;

  /** What lies below a directory, nearest levels first when not all fits, returned in the order of their paths. */
  list(path: string, limits: ListLimits): Promise<FileList>;

  /** Puts the whole content there or nothing: a reader sees the old file or the new one. Missing parents are made.
   *  A new file is the owner's alone (0600); a replaced one keeps its permissions; a read-only one is refused. */
  write(path: string, content: Uint8Array): Promise<FileWritten>;

  /** Takes a file away. */
  remove(path: string): Promise<void>;
};

export type FileStat = {
  readonly kind: "file" | "directory";
  readonly size: number;
  readonly modifiedMs: number;
};

export type ReadWindow = { readonly position?: number; readonly maxBytes: number };

/** `size` is that of the whole file. */
export type FileBytes = { readonly bytes: Uint8Array; readonly size: number };

/** `depth` 1: the directory's own entries. */
export type ListLimits = { readonly depth: number; readonly maxEntries: number };

/** `link`: symbolic, or one of several hard links; like `other` it is named and can't be opened. */
export type FileKind = "file" | "directory" | "link" | "other";

/** `path` is relative to the root, not to the listed directory; `size` is in bytes, 0 unless a file's. */
export type FileEntry = { readonly path: string; readonly kind: FileKind; readonly size: number };

/** `omitted` entries were seen and not returned; with `omittedAtLeast` there may be more below them. */
export type FileList = {
  readonly entries: readonly FileEntry[];
  readonly omitted: number;
  readonly omittedAtLeast: boolean;
};

export type FileWritten = { readonly created: boolean; readonly bytes: number };
