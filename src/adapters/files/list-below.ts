import type { Stats } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import type { FileEntry, FileKind, FileList, ListLimits } from "../../ports/files.ts";
import { openDirectory, pathOf } from "./descriptor-walk.ts";
import { fileError, segmentsOf } from "./file-errors.ts";
import { byPath } from "./path-order.ts";

const maxNamesSeen = 100_000;

type Level = { readonly segments: readonly string[]; readonly depth: number };

type Tally = {
  readonly maxEntries: number;
  readonly entries: FileEntry[];
  omitted: number;
  namesLeft: number;
  omittedAtLeast: boolean;
};

function kindOf(found: Stats): FileKind {
  if (found.isDirectory()) return "directory";
  if (found.isSymbolicLink()) return "link";
  if (!found.isFile()) return "other";
  return found.nlink > 1 ? "link" : "file";
}

/** An entry that vanished or whose name is not Unicode is named without being known. */
async function entryOf(directory: string, name: string, path: string): Promise<FileEntry> {
  const found = await lstat(`${directory}/${name}`).catch(() => undefined);
  const kind = found === undefined ? "other" : kindOf(found);
  return { path, kind, size: kind === "file" && found !== undefined ? found.size : 0 };
}

async function namesIn(directory: string, tally: Tally): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(directory, { bufferSize: 256 })) {
    if (tally.namesLeft === 0) {
      tally.omittedAtLeast = true;
      break;
    }
    tally.namesLeft -= 1;
    names.push(name);
  }
  return names.toSorted();
}

/** Adds one directory's entries to the tally and returns those of them to look into. */
async function listLevel(root: string, level: Level, tally: Tally): Promise<Level[]> {
  const below: Level[] = [];
  const { handle } = await openDirectory(root, level.segments, "refuse");
  try {
    const directory = pathOf(handle);
    const names = await namesIn(directory, tally);
    const shown = names.slice(0, tally.maxEntries - tally.entries.length);
    tally.omitted += names.length - shown.length;
    if (shown.length < names.length && level.depth > 1) tally.omittedAtLeast = true;
    for (const name of shown) {
      const segments = [...level.segments, name];
      const entry = await entryOf(directory, name, segments.join("/"));
      tally.entries.push(entry);
      if (entry.kind === "directory" && level.depth > 1)
        below.push({ segments, depth: level.depth - 1 });
    }
    return below;
  } finally {
    await handle.close();
  }
}

/** Lists level by level, so that a large directory low down does not hide what lies above it. */
export async function listBelow(
  target: { root: string; path: string },
  limits: ListLimits,
): Promise<FileList> {
  const tally: Tally = {
    maxEntries: limits.maxEntries,
    entries: [],
    omitted: 0,
    namesLeft: maxNamesSeen,
    omittedAtLeast: false,
  };
  const top: Level = { segments: segmentsOf(target.path), depth: limits.depth };
  const waiting = await listLevel(target.root, top, tally);
  for (const level of waiting) {
    try {
      waiting.push(...(await listLevel(target.root, level, tally)));
    } catch (thrown) {
      if (fileError(level.segments.join("/"), thrown).code === "tool.failed") throw thrown;
      tally.omittedAtLeast = true;
    }
  }
  return {
    entries: tally.entries.toSorted(byPath),
    omitted: tally.omitted,
    omittedAtLeast: tally.omittedAtLeast,
  };
}
