import type { MemoryParts } from "../../actors/memory/memory-parts.ts";
import { postMemoryChange } from "../../actors/memory/post-memory-change.ts";
import { lineDiff } from "../../adapters/text-diff/line-diff.ts";
import type { Engine } from "../../engine/engine.ts";
import type { MemorySettings } from "../../memory/settings.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { MemoryFiles } from "../../ports/memory-files.ts";
import type { MemoryIndex } from "../../ports/memory-index.ts";
import type { MemoryVersions } from "../../ports/memory-versions.ts";
import { AgentError } from "../../schema/errors.ts";
import { IndexKeeper } from "./keep-index.ts";
import { createMemories, type MemoriesOptions } from "./memories.ts";
import { createMemoryDesk, type MemoryDesk } from "./memory-desk.ts";
import { startWatching, type WatchingMemory } from "./watch-memory.ts";

export type MemoryServiceOptions = {
  readonly files: MemoryFiles;
  readonly versions: MemoryVersions;
  readonly index: MemoryIndex;
  readonly settings: MemorySettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeZone: string;
};

/** Files of memory, what makes them findable, and who may ask. */
export type MemoryService = {
  /** For the engine. */
  readonly parts: MemoryParts;
  /** From now on changes are made by actors of this engine, and what people edit is seen. Resolves at once; the first look at all
   *  files is in the background. */
  start(engine: Engine): void;
  /** For people; after `start`. */
  desk(): MemoryDesk;
  /** The first look, or the one that goes on. */
  looked(): Promise<void>;
  close(): Promise<void>;
};

export function createMemoryService(options: MemoryServiceOptions): MemoryService {
  const { files, versions, index, settings, clock, log, timeZone } = options;
  const keeper = new IndexKeeper({ files, index, settings, log });
  let engine: Engine | undefined;
  let watching: WatchingMemory | undefined;
  const running = () => {
    if (engine !== undefined) return engine;
    throw new AgentError("memory.unavailable", "The service has not started yet.");
  };
  const change: MemoriesOptions["change"] = (input, { key, trace }) =>
    postMemoryChange({ engine: running(), versions, trace }, input, key);
  const memories = createMemories({ index, clock, timeZone, change });
  return {
    parts: {
      memories,
      files,
      versions,
      diff: lineDiff,
      timeZone,
      refresh: (paths, why) => keeper.refresh(paths, why),
    },
    start: (started) => {
      engine = started;
      watching = startWatching({ engine: started, files, versions, keeper, clock, log });
    },
    desk: () => createMemoryDesk({ engine: running(), files, versions, index, keeper }),
    looked: async () => watching?.looked(),
    close: async () => {
      await watching?.stop();
      await keeper.close();
      await index.close();
    },
  };
}
