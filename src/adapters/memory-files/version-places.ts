import type { Dirent } from "node:fs";
import { lstat, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { KeptVersion } from "../../ports/memory-versions.ts";
import { errnoOf } from "../../schema/errno.ts";

/** Where versions and notes lie: `<root>/<first two characters>/<hash>`, `<root>/notes/<name>.note`. Whatever else lies there belongs
 *  to somebody else, and is left alone. */

export const hashForm = /^[0-9a-f]{64}$/;
export const unfinishedEnd = ".unfinished";
export const noteEnd = ".note";
const folderForm = /^[0-9a-f]{2}$/;
const unfinishedForm = /\.[0-9a-f]{12}\.unfinished$/;

export function notesBelow(root: string): string {
  return join(root, "notes");
}

/** Takes away what a crash left. @returns the paths, below the root, of what is nobody's of ours, or cannot be looked into */
export async function clearUnfinished(root: string): Promise<readonly string[]> {
  const strangers: string[] = [];
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const { name } = entry;
    const isNotes = name === "notes";
    if (!(isNotes || folderForm.test(name)) || !(await isFolder(root, entry))) strangers.push(name);
    else {
      const isOurs = isNotes ? isNote : (each: string) => isVersionIn(name, each);
      strangers.push(...(await clearIn(root, name, isOurs)));
    }
  }
  return strangers;
}

async function clearIn(
  root: string,
  folder: string,
  isOurs: (name: string) => boolean,
): Promise<string[]> {
  const strangers: string[] = [];
  try {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const { name } = entry;
      const finished = name.replace(unfinishedForm, "");
      if (!entry.isFile() || !isOurs(finished)) strangers.push(`${folder}/${name}`);
      else if (finished !== name) await rm(join(root, folder, name), { force: true });
    }
  } catch (thrown) {
    strangers.push(`${folder} (${errnoOf(thrown) ?? String(thrown)})`);
  }
  return strangers;
}

/** A folder that cannot be read is no empty one: who forgets something must know. */
export async function versionsBelow(root: string): Promise<KeptVersion[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const lists: KeptVersion[][] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (!folderForm.test(name) || !(await isFolder(root, entry))) continue;
    lists.push(await keptIn(join(root, name), (each) => isVersionIn(name, each)));
  }
  return lists.flat();
}

export async function noteFilesBelow(root: string): Promise<KeptVersion[]> {
  const kept = await keptIn(notesBelow(root), isNote).catch(noneIfMissing);
  return kept.map((each) => ({
    ...each,
    hash: decodeURIComponent(each.hash.slice(0, -noteEnd.length)),
  }));
}

function isVersionIn(folder: string, name: string): boolean {
  return hashForm.test(name) && name.startsWith(folder);
}

function isNote(name: string): boolean {
  if (!name.endsWith(noteEnd)) return false;
  try {
    return encodeURIComponent(decodeURIComponent(name)) === name;
  } catch {
    return false;
  }
}

/** Somebody may have moved it to another disk, and left a link. */
async function isFolder(root: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return (await stat(join(root, entry.name))).isDirectory();
  } catch {
    return false;
  }
}

async function keptIn(
  directory: string,
  isOurs: (name: string) => boolean,
): Promise<KeptVersion[]> {
  const names = (await readdir(directory)).filter(isOurs);
  const kept = await Promise.all(names.map((name) => keptAt(directory, name)));
  return kept.flat();
}

function noneIfMissing(thrown: unknown): KeptVersion[] {
  if (errnoOf(thrown) === "ENOENT") return [];
  throw thrown;
}

const blockBytes = 512;

async function keptAt(directory: string, name: string): Promise<KeptVersion[]> {
  try {
    const found = await lstat(join(directory, name));
    if (!found.isFile()) return [];
    const bytes = Math.max(found.size, found.blocks * blockBytes);
    return [{ hash: name, kept_at: Math.trunc(found.mtimeMs), bytes }];
  } catch (thrown) {
    return noneIfMissing(thrown);
  }
}
