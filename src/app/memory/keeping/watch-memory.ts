import { setMaxListeners } from "node:events";
import { OneAtATime } from "../../../adapters/turns/one-at-a-time.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import type { MemoryFiles } from "../../../ports/memory-files.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import { toErrorData } from "../../../schema/errors.ts";
import { memoryFileTable } from "../../../schema/rows/memory-rows.ts";
import type { IndexKeeper } from "./keep-index.ts";
import { noteEdits } from "./note-edits.ts";

export type WatchingOptions = {
  readonly engine: Engine;
  readonly files: MemoryFiles;
  readonly versions: MemoryVersions;
  readonly keeper: IndexKeeper;
  readonly clock: Clock;
  readonly log: Log;
};

export type WatchingMemory = {
  /** Resolves when all that was seen so far is found and kept. */
  looked(): Promise<void>;
  stop(): Promise<void>;
};

/** What the watcher missed is found by then. */
const rescanMs = 60_000;
/** More are a folder that moved, most likely. */
const filesAtOnce = 20;

/** Sees what people do to the files: it becomes findable at once, and a version that can be restored. */
export function startWatching(options: WatchingOptions): WatchingMemory {
  const { files, keeper, clock, log } = options;
  const turns = new OneAtATime();
  const stopping = new AbortController();
  /** Each edit that is being noted listens to it. */
  setMaxListeners(0, stopping.signal);
  let cancel: (() => void) | undefined;
  const complain = (thrown: unknown) => {
    const { code, message } = toErrorData(thrown);
    if (!stopping.signal.aborted)
      log("warn", "changes of memory could not be noted", { code, message });
  };
  const edits = noteEdits({ ...options, signal: stopping.signal, complain });
  const inTurn = (work: () => Promise<void>) => void turns.run(work).catch(complain);
  const look = () =>
    inTurn(async () => {
      if (stopping.signal.aborted) return;
      const different = await keeper.scan();
      const gone = await goneSince(options);
      await edits.noteAll([...new Set([...gone, ...different.keys()])]); // a folder that moved never counts twice
    });
  const again = () => {
    look();
    cancel = clock.after(rescanMs, again);
  };
  const saved = new Set<string>();
  const takeSaved = async () => {
    const paths = [...saved];
    saved.clear();
    if (paths.length > filesAtOnce) await keeper.removeGone(paths);
    for (let at = 0; at < paths.length && !stopping.signal.aborted; at += filesAtOnce)
      await keeper.refresh(paths.slice(at, at + filesAtOnce));
  };
  const changed = (path: string | null) => {
    if (path === null) return look();
    edits.note(path);
    saved.add(path);
    inTurn(takeSaved);
  };
  const watching = files.watch(changed).catch((thrown: unknown) => {
    log("warn", "files of memory are not watched", { message: toErrorData(thrown).message });
    return async () => {};
  });
  again();
  return {
    looked: async () => {
      await turns.idle();
      await edits.noted();
    },
    stop: async () => {
      stopping.abort();
      cancel?.();
      await (
        await watching
      )();
      await turns.idle();
      await edits.noted();
    },
  };
}

/** Files that went while nobody looked. */
async function goneSince({ engine, files }: WatchingOptions): Promise<string[]> {
  const there = new Set((await files.list()).files.map(({ path }) => path));
  const rows = await engine.read.select(memoryFileTable, { index: "key" });
  return rows.map(({ path }) => path).filter((path) => !there.has(path));
}
