import { randomUUID } from "node:crypto";
import { postMemoryChange } from "../../actors/memory/post-memory-change.ts";
import type { Engine } from "../../engine/engine.ts";
import { isNamedAsText } from "../../memory/text-of.ts";
import { partitionOfPath } from "../../memory/partitions.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { MemoryFiles } from "../../ports/memory-files.ts";
import type { MemoryVersions } from "../../ports/memory-versions.ts";
import { toErrorData } from "../../schema/errors.ts";
import { memoryFileTable } from "../../schema/memory-rows.ts";
import type { IndexKeeper } from "./keep-index.ts";

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
const filesAtOnce = 100;

/** Sees what people do to the files: it becomes findable at once, and a version that can be restored. */
export function startWatching(options: WatchingOptions): WatchingMemory {
  const { files, keeper, clock, log } = options;
  let last: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  let cancel: (() => void) | undefined;
  const inTurn = (work: () => Promise<void>) => {
    last = last.then(work).catch((thrown: unknown) => {
      const { code, message } = toErrorData(thrown);
      if (!stopping.signal.aborted)
        log("warn", "changes of memory could not be noted", { code, message });
    });
  };
  const look = () =>
    inTurn(async () => {
      if (stopping.signal.aborted) return;
      const different = await keeper.scan();
      const gone = await goneSince(options);
      await note({ ...options, signal: stopping.signal }, [
        ...new Set([...different.keys(), ...gone]),
      ]);
    });
  const again = () => {
    look();
    cancel = clock.after(rescanMs, again);
  };
  const changed = (path: string | null) => {
    if (path === null) return look();
    inTurn(async () => {
      if (stopping.signal.aborted) return;
      await keeper.refresh([path]);
      await note({ ...options, signal: stopping.signal }, [path]);
    });
  };
  const watching = files.watch(changed).catch((thrown: unknown) => {
    log("warn", "files of memory are not watched", { message: toErrorData(thrown).message });
    return async () => {};
  });
  again();
  return {
    looked: () => last,
    stop: async () => {
      stopping.abort();
      cancel?.();
      await (
        await watching
      )();
      await last;
    },
  };
}

/** Files that went while nobody looked. */
async function goneSince({ engine, files }: WatchingOptions): Promise<string[]> {
  const there = new Set((await files.list()).files.map(({ path }) => path));
  const rows = await engine.read.select(memoryFileTable, { index: "key" });
  return rows.map(({ path }) => path).filter((path) => !there.has(path));
}

type Noting = WatchingOptions & { readonly signal: AbortSignal };

/** Those that hold something else than what was noted of them become versions. */
async function note(options: Noting, paths: readonly string[]): Promise<void> {
  for (let at = 0; at < paths.length; at += filesAtOnce) {
    const unseen: string[] = [];
    for (const path of paths.slice(at, at + filesAtOnce))
      if (await isUnseen(options, path)) unseen.push(path);
    if (unseen.length > 0) await postSeen(options, unseen);
  }
}

async function isUnseen({ engine, files }: WatchingOptions, path: string): Promise<boolean> {
  if (!isNamedAsText(path) || partitionOfPath(path) === undefined) return false;
  const hash = await hashNow(files, path);
  const row = await engine.read.get(memoryFileTable, path);
  return hash !== undefined && hash !== (row?.hash ?? null);
}

/** Null: it is gone. Undefined: it became a link, or nothing that can be read; others are noted all the same. */
async function hashNow(
  files: WatchingOptions["files"],
  path: string,
): Promise<string | null | undefined> {
  try {
    return (await files.read(path))?.hash ?? null;
  } catch {
    return undefined;
  }
}

async function postSeen(
  { engine, versions, signal }: Noting,
  paths: readonly string[],
): Promise<void> {
  const changes = paths.map((path) => ({ op: "observe", path }) as const);
  const input = { changes, kind: "edit", by: "editor", reason: "", session_id: null } as const;
  await postMemoryChange({ engine, versions, signal }, input, `seen-${randomUUID()}`);
}
