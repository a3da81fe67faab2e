import { existsSync } from "node:fs";
import { join } from "node:path";
import { createSystemClock } from "../../adapters/clock/system-clock.ts";
import { silentLog } from "../../adapters/log/json-log.ts";
import { readDiskVersion } from "../../adapters/memory-files/disk-memory-versions.ts";
import { openLinuxMemoryFiles } from "../../adapters/memory-files/linux-memory-files.ts";
import { openMemoryIndex } from "../../adapters/memory-index/open-memory-index.ts";
import { lineDiff } from "../../adapters/text-diff/line-diff.ts";
import type { MemorySettings } from "../../memory/settings.ts";
import type { MemoryFiles } from "../../ports/memory-files.ts";
import type { MemoryIndex } from "../../ports/memory-index.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import { IndexKeeper } from "./keeping/keep-index.ts";
import { createMemoryReads, type MemoryReads } from "./desk/memory-reads.ts";

/** Memory while no service runs: the files as they are now, found by their words alone. Nothing is written: who searches has an index
 *  of his own, which is gone with him. */
export type MemoryAtRest = {
  readonly reads: () => Promise<MemoryReads>;
  close(): Promise<void>;
};

export function openMemoryAtRest(
  home: string,
  read: CommittedReader,
  settings: MemorySettings,
): MemoryAtRest {
  let opened: Promise<MemoryReads> | undefined;
  let index: Promise<MemoryIndex> | undefined;
  const open = async (): Promise<MemoryReads> => {
    const files = await filesIn(join(home, "memory"));
    const filled = () => (index ??= fill(files, settings));
    return createMemoryReads({
      read,
      files,
      versions: { read: (hash) => readDiskVersion(join(home, "data", "memory-versions"), hash) },
      diff: lineDiff,
      index: {
        partitions: async () => (await filled()).partitions(),
        search: async (query) => (await filled()).search(query),
        stats: () =>
          Promise.reject(new AgentError("index.unavailable", "The service keeps the index.")),
      },
    });
  };
  return {
    reads: () => (opened ??= open()),
    close: async () => (await index)?.close(),
  };
}

type ReadFiles = Pick<MemoryFiles, "list" | "read">;

async function fill(files: ReadFiles, settings: MemorySettings): Promise<MemoryIndex> {
  const clock = createSystemClock();
  const index = await openMemoryIndex({
    file: ":memory:",
    settings,
    embedder: null,
    clock,
    log: silentLog,
  });
  await new IndexKeeper({ files, index, settings, log: silentLog }).scan();
  return index;
}

/** A home that remembers nothing yet has no such folder, and gets none. */
function filesIn(root: string): Promise<ReadFiles> {
  if (existsSync(root)) return openLinuxMemoryFiles({ root, clock: createSystemClock() });
  return Promise.resolve(noFiles);
}

const noFiles: ReadFiles = {
  list: () => Promise.resolve({ files: [], skipped: [] }),
  read: () => Promise.resolve(undefined),
};
