import type { Memories } from "../../ports/memory.ts";
import type { MemoryFiles } from "../../ports/memory-files.ts";
import type { MemoryVersions } from "../../ports/memory-versions.ts";
import type { TextDiff } from "../../ports/text-diff.ts";

/** What changes files of memory. */
export type MemoryWorkshop = {
  readonly files: MemoryFiles;
  readonly versions: MemoryVersions;
  readonly diff: TextDiff;
  /** Makes what these files hold now findable; resolves once it is. `forgotten`: nothing of what they held before may stay anywhere.
   *  It never rejects: the files are the memory. */
  readonly refresh: (paths: readonly string[], why: "changed" | "forgotten") => Promise<void>;
  /** Whose days the daily files are of. */
  readonly timeZone: string;
};

/** What an engine that has a memory is given. */
export type MemoryParts = MemoryWorkshop & { readonly memories: Memories };
