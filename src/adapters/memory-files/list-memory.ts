import { lstat, opendir } from "node:fs/promises";
import type { MemoryFileEntry, MemoryFileList, SkippedFile } from "../../ports/memory-files.ts";
import { errnoOf } from "../../schema/errno.ts";
import { faultOf, openDirectory, pathOf } from "../files/descriptor-walk.ts";
import { byPath } from "../files/path-order.ts";
import { fileError } from "../files/file-errors.ts";
import { cannotBeShown, isPassedOver } from "./is-passed-over.ts";

const mostFiles = 50_000;
/** Names in a path. */
export const deepest = 16;

type Found = {
  readonly files: MemoryFileEntry[];
  readonly skipped: SkippedFile[];
  readonly directories: (readonly string[])[];
};

/** Every plain file below the root, and what is left out. */
export async function listMemory(root: string): Promise<MemoryFileList> {
  const found: Found = { files: [], skipped: [], directories: [[]] };
  for (const segments of found.directories) {
    try {
      await look(root, segments, found);
    } catch (thrown) {
      const path = segments.join("/");
      const error = fileError("it", thrown);
      if (path === "" || error.code === "tool.failed") throw thrown;
      if (error.code !== "file.not_found") found.skipped.push({ path, reason: error.message });
    }
  }
  return { files: found.files.toSorted(byPath), skipped: found.skipped.toSorted(byPath) };
}

async function look(root: string, segments: readonly string[], found: Found): Promise<void> {
  const { handle } = await openDirectory(root, segments, "refuse");
  try {
    const directory = pathOf(handle);
    for await (const { name } of await opendir(directory, { bufferSize: 256 })) {
      if (!isPassedOver(name)) await take(`${directory}/${name}`, [...segments, name], found);
    }
  } finally {
    await handle.close();
  }
}

async function take(at: string, segments: readonly string[], found: Found): Promise<void> {
  const path = segments.join("/");
  const skip = (reason: string) => void found.skipped.push({ path, reason });
  if (cannotBeShown(path)) return skip("its name has characters that cannot be shown");
  try {
    const stat = await lstat(at);
    const fault = faultOf(stat);
    if (fault !== undefined) return skip(fault);
    if (stat.isDirectory()) {
      if (segments.length >= deepest) return skip("it lies too deep");
      return void found.directories.push(segments);
    }
    if (found.files.length >= mostFiles) return skip(`there are more than ${mostFiles} files`);
    const [modified_at, changed_at] = [Math.trunc(stat.mtimeMs), stat.ctimeMs];
    found.files.push({ path, bytes: stat.size, modified_at, changed_at });
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOENT") skip(fileError("it", thrown).message);
  }
}
