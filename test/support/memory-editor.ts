import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A person with an editor beside a service that keeps dying, and what of the person's saves must be kept. */

type Save = { readonly path: string; readonly text: string; readonly at: number; until: number };
type Life = { readonly from: number; until: number };

/** What was saved while a service lived, and stood so long, was seen by it: its watcher waits 0.3 s, a busy machine much longer. */
const seen = { ms: 4_000, starts: 8 };

export type MemoryEditor = {
  /** Saves a new text of one of the person's own files, in the one or the other way in which editors do. */
  save(path: string, text: string): void;
  /** Adds a line to a file of the service's. */
  append(path: string, line: string): void;
  lived(from: number, until: number): void;
  /** A service needed so long to start. */
  started(tookMs: number): void;
  /** Texts that stood long enough to be seen. */
  owed(): readonly string[];
  lines(): readonly string[];
  /** What each of the files was last saved as. */
  last(): ReadonlyMap<string, string>;
};

export function editMemory(root: string): MemoryEditor {
  const saves: Save[] = [];
  const present = new Map<string, Save>();
  const lives: Life[] = [];
  const lines: string[] = [];
  let longestStartMs = 0;
  return {
    save: (path, text) => {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if (saves.length % 2 === 0) writeFileSync(file, text);
      else {
        writeFileSync(`${file}.tmp`, text);
        renameSync(`${file}.tmp`, file);
      }
      const at = Date.now();
      const before = present.get(path);
      if (before !== undefined) before.until = at;
      const save = { path, text, at, until: Number.POSITIVE_INFINITY };
      saves.push(save);
      present.set(path, save);
    },
    append: (path, line) => {
      appendFileSync(join(root, path), `${line}\n`);
      lines.push(line);
    },
    lived: (from, until) => void lives.push({ from, until }),
    started: (tookMs) => {
      longestStartMs = Math.max(longestStartMs, tookMs);
    },
    owed: () => {
      const seenMs = Math.max(seen.ms, seen.starts * longestStartMs);
      return saves
        .filter(({ at, until }) =>
          lives.some((life) => at >= life.from && Math.min(until, life.until) - at >= seenMs),
        )
        .map(({ text }) => text);
    },
    lines: () => lines,
    last: () => new Map([...present].map(([path, { text }]) => [path, text])),
  };
}
