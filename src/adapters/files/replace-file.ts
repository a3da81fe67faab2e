import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open, rename, unlink } from "node:fs/promises";
import type { FileWritten } from "../../ports/files.ts";
import type { Pinned } from "./descriptor-walk.ts";
import { openDirectory, pathOf, pinChild } from "./descriptor-walk.ts";
import { errnoOf } from "../../schema/errno.ts";
import { refused, segmentsOf } from "./file-errors.ts";
import { syncDirectory } from "./sync-directory.ts";

const writeNew = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const ownerOnly = 0o600;

/** A name in a pinned directory, and the path for messages. */
type Slot = { readonly parent: Pinned; readonly name: string; readonly shown: string };

async function existingFile({ parent, name, shown }: Slot): Promise<Stats | undefined> {
  try {
    const { handle, stat } = await pinChild(parent, name, shown);
    await handle.close();
    if (stat.isDirectory()) throw refused(shown, "it is a directory");
    if ((stat.mode & 0o222) === 0) throw refused(shown, "it is read-only");
    return stat;
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}

async function fill(
  handle: FileHandle,
  content: Uint8Array,
  replaced: Stats | undefined,
): Promise<void> {
  await handle.writeFile(content);
  if (replaced !== undefined) {
    const own = await handle.stat();
    if (own.uid !== replaced.uid || own.gid !== replaced.gid)
      await handle.chown(replaced.uid, replaced.gid);
    await handle.chmod(replaced.mode & 0o777);
  }
  await handle.sync();
}

async function fillAndClose(
  handle: FileHandle,
  content: Uint8Array,
  replaced: Stats | undefined,
): Promise<void> {
  try {
    await fill(handle, content, replaced);
  } finally {
    await handle.close();
  }
}

/** Writes beside the target and renames over it; a rename never goes through a link that stands in the target's place. */
async function replaceIn(slot: Slot, content: Uint8Array): Promise<FileWritten> {
  const replaced = await existingFile(slot);
  const directory = pathOf(slot.parent.handle);
  const temporary = `${directory}/.statehive-${randomBytes(8).toString("hex")}.tmp`;
  const handle = await open(temporary, writeNew, ownerOnly);
  try {
    await fillAndClose(handle, content, replaced);
    await rename(temporary, `${directory}/${slot.name}`);
  } catch (thrown) {
    await unlink(temporary).catch(() => undefined);
    throw thrown;
  }
  await syncDirectory(slot.parent.handle);
  return { created: replaced === undefined, bytes: content.length };
}

export async function replaceFile(
  target: { root: string; path: string },
  content: Uint8Array,
): Promise<FileWritten> {
  const segments = segmentsOf(target.path);
  const name = segments.at(-1);
  if (name === undefined) throw refused(target.path, "it is a directory");
  const parent = await openDirectory(target.root, segments.slice(0, -1), "create");
  try {
    return await replaceIn({ parent, name, shown: target.path }, content);
  } finally {
    await parent.handle.close();
  }
}
