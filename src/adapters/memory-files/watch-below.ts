import { basename, relative } from "node:path";
import { watch } from "chokidar";
import type { Clock } from "../../ports/clock.ts";
import { errnoOf } from "../../schema/errno.ts";
import { isPassedOver } from "./is-passed-over.ts";

export type Watching = {
  readonly root: string;
  readonly clock: Clock;
  readonly changed: (path: string | null) => void;
  readonly cannotWatch: (reason: string) => void;
};

/** Editors write in several steps: what they say within this time is one change. */
const quietMs = 300;

/** @returns stops it */
export function watchBelow(watching: Watching): () => Promise<void> {
  const { root, clock, changed, cannotWatch } = watching;
  const waiting = new Map<string, () => void>();
  let isDeaf = false;
  const seen = (absolute: string) => {
    const path = relative(root, absolute);
    waiting.get(path)?.();
    const tell = () => {
      waiting.delete(path);
      changed(path);
    };
    waiting.set(path, clock.after(quietMs, tell));
  };
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => path !== root && isPassedOver(basename(path)),
  });
  for (const event of ["add", "change", "unlink"] as const) watcher.on(event, seen);
  watcher.on("ready", () => changed(null)); // what was saved while it was not ready is told by nothing else
  watcher.on("error", (error) => {
    if (errnoOf(error) === "EACCES") return; // the others are watched; who lists the files hears of it
    if (!isDeaf) cannotWatch(String(error));
    isDeaf = true;
  });
  return async () => {
    for (const cancel of waiting.values()) cancel();
    waiting.clear();
    await watcher.close();
  };
}
