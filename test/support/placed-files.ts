import { mkdirSync, watch } from "node:fs";

/** Counts how often each file of a folder was put in its place. */
export type PlacedFiles = { times(name: string): number; close(): void };

export function countPlacedFiles(folder: string): PlacedFiles {
  mkdirSync(folder, { recursive: true });
  const placed = new Map<string, number>();
  const watcher = watch(folder, (kind, name) => {
    if (kind === "rename" && name !== null) placed.set(name, (placed.get(name) ?? 0) + 1);
  });
  return { times: (name) => placed.get(name) ?? 0, close: () => watcher.close() };
}
