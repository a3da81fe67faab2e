import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, rename, rm, utimes } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { MemoryVersions } from "../../ports/memory-versions.ts";
import { errnoOf } from "../../schema/errno.ts";
import { AgentError, toErrorData } from "../../schema/errors.ts";
import { hashOf } from "./content-hash.ts";
import {
  clearUnfinished,
  hashForm,
  noteEnd,
  noteFilesBelow,
  notesBelow,
  unfinishedEnd,
  versionsBelow,
} from "./version-places.ts";

const compressed = promisify(gzip);
const expanded = promisify(gunzip);

/** Told, where there are any, of files and folders that are none of ours, or that cannot be looked into. */
type LeftAlone = (paths: readonly string[]) => void;

/** Versions as files, compressed, and notes beside them. Each is written beside its place, made durable and renamed. */
export async function openDiskMemoryVersions(
  root: string,
  leftAlone: LeftAlone = () => {},
): Promise<MemoryVersions> {
  const translated = inVersionsWords(root);
  const strangers = await translated(root, async () => {
    await mkdir(root, { recursive: true, mode: 0o700 });
    return clearUnfinished(root);
  }).catch((thrown: unknown) => [toErrorData(thrown).message]); // who keeps a version hears it again
  if (strangers.length > 0) leftAlone(strangers);
  const placeOf = (hash: string) => placeIn(root, hash);
  const noteOf = (name: string) => join(notesBelow(root), `${encodeURIComponent(name)}${noteEnd}`);
  return {
    keep: async (content) => {
      const hash = hashOf(content);
      const place = placeOf(hash);
      await translated(place, async () => {
        if (!(await keepAgain(place))) await put(place, await compressed(content));
      });
      return hash;
    },
    read: (hash) => readDiskVersion(root, hash),
    remove: (hash) => translated(placeOf(hash), () => rm(placeOf(hash), { force: true })),
    list: () => translated(root, () => versionsBelow(root)),
    note: (name, value) => translated(noteOf(name), () => put(noteOf(name), value)),
    noted: (name) =>
      translated(noteOf(name), async () => (await readMaybe(noteOf(name)))?.toString("utf8")),
    forgetNote: (name) => translated(noteOf(name), () => rm(noteOf(name), { force: true })),
    notes: () => translated(notesBelow(root), () => noteFilesBelow(root)),
  };
}

/** A version as it was kept, without opening what keeps them: nothing is written. */
export function readDiskVersion(root: string, hash: string): Promise<Uint8Array | undefined> {
  const place = placeIn(root, hash);
  return inVersionsWords(root)(place, async () => {
    const kept = await readMaybe(place);
    return kept === undefined ? undefined : new Uint8Array(await expanded(kept));
  });
}

function placeIn(root: string, hash: string): string {
  if (hashForm.test(hash)) return join(root, hash.slice(0, 2), hash);
  throw new AgentError("memory.unavailable", `${hash.slice(0, 80)} names no version.`);
}

/** It counts as kept now. False: it is not there, or nobody could read it. */
async function keepAgain(place: string): Promise<boolean> {
  try {
    if ((await readMaybe(place)) === undefined) return false;
    const now = new Date();
    await utimes(place, now, now);
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === "EACCES" || errnoOf(thrown) === "EPERM") return false;
    throw thrown;
  }
}

async function put(place: string, content: Uint8Array | string): Promise<void> {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  const unfinished = `${place}.${randomBytes(6).toString("hex")}${unfinishedEnd}`;
  const handle = await open(unfinished, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw thrown;
  } finally {
    await handle.close();
  }
  await rename(unfinished, place);
  const directory = await open(dirname(place), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Of a plain file; whoever opened a pipe would wait for ever. */
async function readMaybe(path: string): Promise<Buffer | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return (await handle.stat()).isFile() ? await handle.readFile() : undefined;
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (["ENOENT", "ELOOP", "ENXIO"].includes(errnoOf(thrown) ?? "")) return undefined;
    throw thrown;
  }
}

/** The place is told as people know it, from the home's data on. */
function inVersionsWords(root: string) {
  return async <Result>(place: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof AgentError) throw thrown;
      const errno = errnoOf(thrown);
      const path = join(basename(root), relative(root, place));
      const why = wordsOf[errno ?? ""] ?? errno ?? String(thrown);
      throw new AgentError("memory.unavailable", `The versions of memory, ${path}: ${why}.`, {
        retryable: !lasting.has(errno ?? ""),
        cause: thrown,
      });
    }
  };
}

/** Until a person does something about it. */
const lasting = new Set(["EACCES", "EPERM", "EROFS"]);

const wordsOf: Readonly<Record<string, string>> = {
  EACCES: "permission is missing",
  EPERM: "permission is missing",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of the disk is used up",
};
