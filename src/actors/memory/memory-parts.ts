import type { Memories } from "../../ports/memory.ts";
import type { MemoryFiles } from "../../ports/memory-files.ts";
import type { MemoryVersions } from "../../ports/memory-versions.ts";

/** What an engine that has a memory is given. */
export type MemoryParts = {
  readonly memories: Memories;
  readonly files: MemoryFiles;
  readonly versions: MemoryVersions;
  /** Makes what these files hold now findable; resolves once it is. It never rejects: the files are the memory. */
  readonly refresh: (paths: readonly string[], why: "changed" | "forgotten") => Promise<void>;
  /** Whose days the daily files are of. */
  readonly timeZone: string;
};
