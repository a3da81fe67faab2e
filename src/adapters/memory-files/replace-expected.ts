import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
} from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import type { Replaced } from "../../ports/memory-files.ts";
import { errnoOf } from "../../schema/errno.ts";
import { openDirectory, pathOf } from "../files/descriptor-walk.ts";
import { refused, segmentsOf } from "../files/file-errors.ts";
import { syncDirectory } from "../files/sync-directory.ts";
import { wholeFileNow } from "../files/whole-file-now.ts";
import { hashOf } from "./content-hash.ts";

/** Taking a file's place in two steps: what is to come is written and made durable beside it first; then, with nothing in between but
 *  what other processes do, it is looked at once more and replaced. */

const writeNew = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const ownerOnly = 0o600;
const prefix = ".statehive-memory-";

export type Place = { readonly root: string; readonly path: string };
export type Expecting = { readonly name: string; readonly expected: string | null };

export function isStaging(name: string): boolean {
  return name.startsWith(prefix);
}

export async function stageBeside(place: Place, content: Uint8Array): Promise<string> {
  const name = `${prefix}${randomBytes(8).toString("hex")}`;
  return inDirectory(place, async (directory) => {
    const handle = await open(`${pathOf(directory)}/${name}`, writeNew, ownerOnly);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } catch (thrown) {
      unlinkSync(`${pathOf(directory)}/${name}`);
      throw thrown;
    } finally {
      await handle.close();
    }
    await syncDirectory(directory);
    return name;
  });
}

export async function replaceExpected(
  place: Place,
  { name, expected }: Expecting,
  maxBytes: number,
): Promise<Replaced> {
  return inDirectory(place, async (directory) => {
    if (hashNow(place, maxBytes) !== expected) return { isDone: false };
    const [from, to] = [`${pathOf(directory)}/${name}`, `${pathOf(directory)}/${lastOf(place)}`];
    if (expected === null) {
      renameSync(from, to);
      await syncDirectory(directory);
      return { isDone: true };
    }
    chmodSync(from, writableModeOf(to, place.path));
    const old = openSync(to, readOld);
    try {
      renameSync(from, to);
      await syncDirectory(directory);
      const late = await lateSave(old, expected, () => syncDirectory(directory));
      return late === undefined ? { isDone: true } : { isDone: true, late };
    } finally {
      closeSync(old);
    }
  });
}

const readOld = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const mostLooks = 10;

/** Who saves empties a file first, and writes it in pieces: looked at until it says the same twice. One that stays empty says nothing.
 *  @param pause as long as it takes the disk to make something durable */
async function lateSave(
  old: number,
  expected: string,
  pause: () => Promise<void>,
): Promise<Uint8Array | undefined> {
  let found = readFrom(old);
  if (hashOf(found) === expected) return undefined;
  for (let looks = 0; looks < mostLooks; looks += 1) {
    await pause();
    const again = readFrom(old);
    if (again.length > 0 && hashOf(again) === hashOf(found)) return again;
    found = again;
  }
  return found.length === 0 ? undefined : found;
}

function readFrom(descriptor: number): Uint8Array {
  const content = new Uint8Array(fstatSync(descriptor).size);
  const length = readSync(descriptor, content, 0, content.length, 0);
  return content.subarray(0, length);
}

export async function removeExpected(
  place: Place,
  expected: string,
  maxBytes: number,
): Promise<boolean> {
  return inDirectory(place, async (directory) => {
    if (hashNow(place, maxBytes) !== expected) return false;
    unlinkSync(`${pathOf(directory)}/${lastOf(place)}`);
    await syncDirectory(directory);
    return true;
  });
}

function writableModeOf(file: string, shown: string): number {
  const mode = lstatSync(file).mode & 0o777;
  if ((mode & 0o222) === 0) throw refused(shown, "it is read-only");
  return mode;
}

function hashNow({ root, path }: Place, maxBytes: number): string | null {
  try {
    return hashOf(wholeFileNow(root, path, maxBytes).bytes);
  } catch (thrown) {
    const code = (thrown as { code?: unknown }).code;
    if (code === "file.not_found") return null;
    throw thrown;
  }
}

function lastOf({ path }: Place): string {
  const name = segmentsOf(path).at(-1);
  if (name === undefined) throw refused(path, "it is a directory");
  return name;
}

async function inDirectory<Result>(
  { root, path }: Place,
  work: (directory: FileHandle) => Promise<Result>,
): Promise<Result> {
  const parent = await openDirectory(root, segmentsOf(path).slice(0, -1), "create");
  try {
    return await work(parent.handle);
  } finally {
    await parent.handle.close();
  }
}

export async function isThere(place: Place, name: string): Promise<boolean> {
  return inDirectory(place, async (directory) => {
    try {
      lstatSync(`${pathOf(directory)}/${name}`);
      return true;
    } catch (thrown) {
      if (errnoOf(thrown) === "ENOENT") return false;
      throw thrown;
    }
  });
}

export async function discardStaging(place: Place, name: string): Promise<void> {
  if (!isStaging(name)) return;
  await inDirectory(place, async (directory) => {
    try {
      unlinkSync(`${pathOf(directory)}/${name}`);
    } catch (thrown) {
      if (errnoOf(thrown) !== "ENOENT") throw thrown;
    }
  });
}
