import { mkdir, readdir, realpath, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../ports/clock.ts";
import type { MemoryFileBytes, MemoryFiles } from "../../ports/memory-files.ts";
import { errnoOf } from "../../schema/errno.ts";
import { AgentError } from "../../schema/errors.ts";
import { relativePath } from "../../schema/relative-path.ts";
import { createLinuxFiles } from "../files/linux-files.ts";
import type { Files } from "../../ports/files.ts";
import { hashOf } from "./content-hash.ts";
import { cannotBeShown, isPassedOver } from "./is-passed-over.ts";
import { deepest, listMemory } from "./list-memory.ts";
import { inMemorysWords } from "./memory-file-errors.ts";
import {
  discardStaging,
  isStaging,
  isThere,
  removeExpected,
  replaceExpected,
  stageBeside,
} from "./replace-expected.ts";
import { watchBelow } from "./watch-below.ts";

/** Of a file that is read at all. */
const mostBytesRead = 16 * 1024 * 1024;

export type LinuxMemoryFilesOptions = {
  /** Made where it is missing, for its owner alone. */
  readonly root: string;
  readonly clock: Clock;
  /** Told once why changes are found late: only when somebody looks. */
  readonly cannotWatch?: (reason: string) => void;
};

/** The files of memory on this machine. @throws AgentError memory.unavailable */
export async function openLinuxMemoryFiles(options: LinuxMemoryFilesOptions): Promise<MemoryFiles> {
  const { clock, cannotWatch = () => {} } = options;
  const root = await inMemorysWords(options.root, async () => {
    await mkdir(options.root, { recursive: true, mode: 0o700 });
    return realpath(options.root);
  });
  const files = await inMemorysWords(root, () => createLinuxFiles({ root }));
  return {
    list: () => inMemorysWords("memory", () => listMemory(root)),
    read: (path) => at(path, () => readWhole(files, path)),
    stage: (path, content) => at(path, () => stageBeside({ root, path }, content)),
    isStaged: (path, name) => at(path, () => isThere({ root, path }, name)),
    discard: (path, name) => at(path, () => discardStaging({ root, path }, name)),
    replace: (path, staged) =>
      at(path, () => replaceExpected({ root, path }, staged, mostBytesRead)),
    remove: (path, expected) =>
      at(path, () => removeExpected({ root, path }, expected, mostBytesRead)),
    tidy: (kept) => inMemorysWords("memory", () => tidy(root, kept)),
    watch: async (changed) => watchBelow({ root, clock, changed, cannotWatch }),
  };
}

function at<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  return inMemorysWords(path, async () => {
    checkPath(path);
    return work();
  });
}

function checkPath(path: string): void {
  const found = relativePath(path);
  const isPlain = found.ok && found.path === path && path !== "." && !cannotBeShown(path);
  if (isPlain && found.segments.length > deepest)
    throw new AgentError("memory.refused", `${path} lies too deep.`);
  if (isPlain && !found.segments.some(isPassedOver)) return;
  throw new AgentError(
    "memory.refused",
    `${JSON.stringify(path.slice(0, 200))} is no path of a file of memory.`,
  );
}

async function readWhole(files: Files, path: string): Promise<MemoryFileBytes | undefined> {
  try {
    const { bytes: content, size } = await files.read(path, { maxBytes: mostBytesRead });
    if (size <= mostBytesRead) return { bytes: content.length, content, hash: hashOf(content) };
    const { modifiedMs } = await files.stat(path);
    const mark = new TextEncoder().encode(`${size} ${modifiedMs}`);
    return { bytes: size, content: null, hash: hashOf(mark) };
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === "file.not_found") return undefined;
    if (await isDirectory(files, path)) return undefined;
    throw thrown;
  }
}

async function isDirectory(files: Files, path: string): Promise<boolean> {
  try {
    return (await files.stat(path)).kind === "directory";
  } catch {
    return false;
  }
}

/** A folder that cannot be read, or not written, keeps what is in it. */
async function tidy(root: string, kept: ReadonlySet<string>): Promise<void> {
  const directories = [root];
  for (const directory of directories) {
    const entries = await readdir(directory, { withFileTypes: true }).catch(noneIfRefused);
    for (const entry of entries) {
      const { name } = entry;
      const path = join(directory, name);
      if (entry.isDirectory()) directories.push(path);
      const isLeft = entry.isFile() && isStaging(name) && !kept.has(name);
      if (isLeft) await unlink(path).catch(noneIfRefused);
    }
  }
}

const refusals = new Set(["EACCES", "EPERM", "EROFS", "ENOENT"]);

function noneIfRefused(thrown: unknown): never[] {
  if (refusals.has(errnoOf(thrown) ?? "")) return [];
  throw thrown;
}
