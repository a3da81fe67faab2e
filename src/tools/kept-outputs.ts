import type { FileEntry, Files } from "../ports/files.ts";
import { AgentError } from "../schema/errors.ts";

/** Outputs that were too long to show lie in the workspace, for some days and up to a size; older ones go. */

export const outputDirectory = ".statehive/output";

const keptOutputDays = 7;
const keptOutputBytes = 256 * 1024 * 1024;

const dayMs = 86_400_000;
const maxEntries = 10_000;

type Kept = { readonly path: string; readonly size: number; readonly modifiedMs: number };

/** @returns the files that were taken away */
export async function removeOldOutputs(files: Files, now: number): Promise<readonly string[]> {
  const kept = (await outputsIn(files)).toSorted((one, other) => other.modifiedMs - one.modifiedMs);
  let bytes = 0;
  const removed: string[] = [];
  for (const { path, size, modifiedMs } of kept) {
    bytes += size;
    if (bytes <= keptOutputBytes && modifiedMs >= now - keptOutputDays * dayMs) continue;
    if ((await orNothing(files.remove(path).then(() => true))) === true) removed.push(path);
  }
  return removed;
}

async function outputsIn(files: Files): Promise<readonly Kept[]> {
  const list = await orNothing(files.list(outputDirectory, { depth: 1, maxEntries }));
  const entries: readonly FileEntry[] = list?.entries ?? [];
  const kept: Kept[] = [];
  for (const { path, kind } of entries) {
    const found = kind === "file" ? await orNothing(files.stat(path)) : undefined;
    if (found !== undefined) kept.push({ path, ...found });
  }
  return kept;
}

/** The workspace is the agent's: a directory may be missing or something else, a file may go at any time. */
async function orNothing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code.startsWith("file.")) return undefined;
    throw thrown;
  }
}
