import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { access, open, realpath, stat, unlink } from "node:fs/promises";
import type { FileBytes, Files, FileStat, ReadWindow } from "../../ports/files.ts";
import { AgentError } from "../../schema/errors.ts";
import type { Pinned } from "./descriptor-walk.ts";
import { isKernelFileSystem, openDirectory, pathOf, pinChild } from "./descriptor-walk.ts";
import { fileError, refused, segmentsOf } from "./file-errors.ts";
import { listBelow } from "./list-below.ts";
import { replaceFile } from "./replace-file.ts";

const chunkBytes = 256 * 1024;

type Target = { readonly root: string; readonly path: string };

function invalidHome(message: string, cause?: unknown): AgentError {
  return new AgentError("home.invalid", message, { cause });
}

async function usableRoot(root: string, descriptors: string): Promise<string> {
  await access(descriptors).catch((thrown: unknown) => {
    throw invalidHome(
      `The file tools need Linux with /proc mounted; ${descriptors} is missing.`,
      thrown,
    );
  });
  try {
    const real = await realpath(root);
    if (!(await stat(real)).isDirectory())
      throw invalidHome(`The workspace ${root} is not a directory.`);
    if (await isKernelFileSystem(real)) throw invalidHome(`The workspace ${root} is the kernel's.`);
    return real;
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    throw invalidHome(`The workspace ${root} cannot be used.`, thrown);
  }
}

/** Pins what the path names; the root itself for `.`. */
async function pinTarget(target: Target): Promise<Pinned> {
  const segments = segmentsOf(target.path);
  const parent = await openDirectory(target.root, segments.slice(0, -1), "refuse");
  const name = segments.at(-1);
  if (name === undefined) return parent;
  try {
    return await pinChild(parent, name, target.path);
  } finally {
    await parent.handle.close();
  }
}

async function openForReading(target: Target): Promise<FileHandle> {
  const pinned = await pinTarget(target);
  try {
    if (pinned.stat.isDirectory()) throw refused(target.path, "it is a directory");
    return await open(pathOf(pinned.handle), constants.O_RDONLY | constants.O_NONBLOCK);
  } finally {
    await pinned.handle.close();
  }
}

async function readWindow(handle: FileHandle, window: ReadWindow): Promise<FileBytes> {
  const { size } = await handle.stat();
  const start = window.position ?? 0;
  const bytes = new Uint8Array(Math.max(0, Math.min(window.maxBytes, size - start)));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return { bytes: bytes.subarray(0, filled), size };
}

async function readTarget(target: Target, window: ReadWindow): Promise<FileBytes> {
  const handle = await openForReading(target);
  try {
    return await readWindow(handle, window);
  } finally {
    await handle.close();
  }
}

async function* chunksOf(target: Target): AsyncGenerator<Uint8Array> {
  let handle: FileHandle | undefined;
  try {
    handle = await openForReading(target);
    for (let position = 0; ;) {
      const { bytesRead, buffer } = await handle.read(
        new Uint8Array(chunkBytes),
        0,
        chunkBytes,
        position,
      );
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } catch (thrown) {
    throw fileError(target.path, thrown);
  } finally {
    await handle?.close();
  }
}

async function statTarget(target: Target): Promise<FileStat> {
  const { handle, stat: found } = await pinTarget(target);
  await handle.close();
  return {
    kind: found.isDirectory() ? "directory" : "file",
    size: found.size,
    modifiedMs: found.mtimeMs,
  };
}

/** What takes the file's place in between is taken away in its stead; a link is never gone through. */
async function removeTarget({ root, path }: Target): Promise<void> {
  const segments = segmentsOf(path);
  const name = segments.at(-1);
  if (name === undefined) throw refused(path, "it is a directory");
  const parent = await openDirectory(root, segments.slice(0, -1), "refuse");
  try {
    const { handle, stat: found } = await pinChild(parent, name, path);
    await handle.close();
    if (found.isDirectory()) throw refused(path, "it is a directory");
    await unlink(`${pathOf(parent.handle)}/${name}`);
  } finally {
    await parent.handle.close();
  }
}

async function translated<Result>(path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (thrown) {
    throw fileError(path, thrown);
  }
}

export type LinuxFilesOptions = {
  /** An existing directory; it may be reached through links, what lies below may not. */
  readonly root: string;
  /** Where the process sees its descriptors; another value than the default is for tests. */
  readonly descriptors?: string;
};

/** The files below a directory of this machine. Rejects with `home.invalid` where the walk cannot work. */
export async function createLinuxFiles(options: LinuxFilesOptions): Promise<Files> {
  const root = await usableRoot(options.root, options.descriptors ?? "/proc/self/fd");
  return {
    stat: (path) => translated(path, statTarget({ root, path })),
    read: (path, window) => translated(path, readTarget({ root, path }, window)),
    chunks: (path) => chunksOf({ root, path }),
    list: (path, limits) => translated(path, listBelow({ root, path }, limits)),
    write: (path, content) => translated(path, replaceFile({ root, path }, content)),
    remove: (path) => translated(path, removeTarget({ root, path })),
  };
}
