import { dropOrphans } from "../../actors/memory/changing/drop-orphans.ts";
import type { MemoryParts } from "../../actors/memory/memory-parts.ts";
import { postMemoryChange } from "../../actors/memory/changing/post-memory-change.ts";
import { lineDiff } from "../../adapters/text-diff/line-diff.ts";
import type { Engine } from "../../engine/engine.ts";
import type { MemorySettings } from "../../memory/settings.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { MemoryFiles } from "../../ports/memory-files.ts";
import type { MemoryIndex } from "../../ports/memory-index.ts";
import type { MemoryVersions } from "../../ports/memory-versions.ts";
import { AgentError } from "../../schema/errors.ts";
import type { NewsBus } from "../news/news.ts";
import { IndexKeeper } from "./keeping/keep-index.ts";
import { createMemories, type MemoriesOptions } from "./memories.ts";
import { createMemoryDesk, type MemoryDesk } from "./desk/memory-desk.ts";
import { keepTasks } from "./keeping/keep-tasks.ts";
import { tidied } from "./tidied.ts";
import { tidyVersions } from "./tidy-versions.ts";
import { watchEmbedder } from "./keeping/watch-embedder.ts";
import { startWatching, type WatchingOptions } from "./keeping/watch-memory.ts";

export type MemoryServiceOptions = {
  readonly files: MemoryFiles;
  readonly versions: MemoryVersions;
  readonly index: MemoryIndex;
  readonly closeEmbedder?: () => Promise<void>;
  /** Why no embedder is there although one is configured. */
  readonly missing?: string | null;
  readonly settings: MemorySettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeZone: string;
};

/** Files of memory, what makes them findable, and who may ask. */
export type MemoryService = {
  /** For the engine. */
  readonly parts: MemoryParts;
  /** From now on changes are made by actors of this engine. */
  attach(engine: Engine): void;
  /** What an earlier process left for changes that never began is gone; attached, and before actors go on. */
  clear(): Promise<void>;
  /** From now on what people edit is seen, and what has ended is found. The first look at everything is in the background. */
  follow(bus: NewsBus): void;
  /** For people; once it is attached. */
  desk(): MemoryDesk;
  /** Resolves when all that was seen so far is kept and found. */
  looked(): Promise<void>;
  /** Takes away kept versions that no change names any more, and the oldest ones where all take more than `mostBytes`. */
  tidy(mostBytes: number): Promise<void>;
  /** Nothing is looked at any more, and nobody waits for a change; before the engine closes. */
  stop(): Promise<void>;
  /** After the engine has closed. */
  close(): Promise<void>;
};

export function createMemoryService(options: MemoryServiceOptions): MemoryService {
  const { files, versions, index, settings, clock, log, timeZone } = options;
  const { missing = null } = options;
  const keeper = new IndexKeeper({ files, index, settings, log });
  const stopping = new AbortController();
  let engine: Engine | undefined;
  let following: Following | undefined;
  const running = () => {
    if (engine !== undefined) return engine;
    throw new AgentError("memory.unavailable", "The service has not started yet.");
  };
  const change: MemoriesOptions["change"] = (input, { key, trace, signal }) =>
    postMemoryChange({ engine: running(), versions, trace, signal }, input, key);
  const memories = createMemories({ index, clock, timeZone, change });
  const { signal } = stopping;
  const takeTasks = async () => following?.takeTasks();
  return {
    parts: {
      memories,
      files,
      versions,
      diff: lineDiff,
      timeZone,
      refresh: (paths, why) => keeper.refresh(paths, why),
    },
    attach: (attached) => {
      engine = attached;
    },
    clear: () => tidied(log, () => dropOrphans(running().read, versions)),
    follow: (bus) => {
      following = followAll({ engine: running(), files, versions, index, keeper, clock, log }, bus);
    },
    desk: () => {
      const parts = { files, versions, index, keeper, missing, takeTasks, signal };
      return createMemoryDesk({ engine: running(), ...parts });
    },
    looked: async () => following?.looked(),
    tidy: async (mostBytes) => {
      const { read } = running();
      const gone = await tidyVersions({ read, versions, now: clock.now(), mostBytes });
      if (gone > 0)
        log("warn", "the oldest versions of memory went: all took too much", { versions: gone });
    },
    stop: async () => {
      stopping.abort();
      await following?.stop();
    },
    close: async () => {
      await keeper.close();
      await index.close();
      await options.closeEmbedder?.();
    },
  };
}

type Following = {
  looked(): Promise<void>;
  takeTasks(): Promise<void>;
  stop(): Promise<void>;
};

function followAll(
  options: WatchingOptions & { readonly index: MemoryIndex },
  bus: NewsBus,
): Following {
  const { engine, index, log } = options;
  const watching = startWatching(options);
  const endEmbedder = watchEmbedder({ index, clock: options.clock, bus });
  const tasks = keepTasks({ read: engine.read, index, log });
  const endTasks = tasks.follow(bus);
  const scanned = tasks.scan();
  return {
    looked: async () => {
      await watching.looked();
      await scanned;
    },
    takeTasks: () => tasks.scan(),
    stop: async () => {
      endEmbedder();
      endTasks();
      await tasks.close();
      await watching.stop();
    },
  };
}
