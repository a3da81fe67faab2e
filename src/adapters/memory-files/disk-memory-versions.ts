import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { KeptVersion, MemoryVersions } from "../../ports/memory-versions.ts";
import { errnoOf } from "../../schema/errno.ts";
import { AgentError } from "../../schema/errors.ts";

const compressed = promisify(gzip);
const expanded = promisify(gunzip);
const hashForm = /^[0-9a-f]{64}$/;

/** Versions as files: `<root>/<first two characters>/<hash>`, compressed; notes in `<root>/notes`. Each is written beside its place,
 *  made durable and renamed. */
export async function openDiskMemoryVersions(root: string): Promise<MemoryVersions> {
  const notes = join(root, "notes");
  await translated(() => mkdir(notes, { recursive: true, mode: 0o700 }));
  await translated(() => removeUnfinished(root));
  const placeOf = (hash: string) => placeIn(root, hash);
  const noteOf = (name: string) => join(notes, encodeURIComponent(name));
  return {
    keep: async (content) => {
      const hash = createHash("sha256").update(content).digest("hex");
      const place = placeOf(hash);
      await translated(async () => {
        if ((await readMaybe(place)) === undefined) await put(place, await compressed(content));
      });
      return hash;
    },
    read: (hash) => readDiskVersion(root, hash),
    remove: (hash) => translated(() => rm(placeOf(hash), { force: true })),
    list: () => translated(() => listVersions(root)),
    note: (name, value) => translated(() => put(noteOf(name), value)),
    noted: (name) => translated(async () => (await readMaybe(noteOf(name)))?.toString("utf8")),
    forgetNote: (name) => translated(() => rm(noteOf(name), { force: true })),
    notes: () =>
      translated(async () => {
        const kept = await entriesOf(notes);
        return kept.map(({ hash, kept_at }) => ({ hash: decodeURIComponent(hash), kept_at }));
      }),
  };
}

/** A version as it was kept, without opening what keeps them: nothing is written. */
export function readDiskVersion(root: string, hash: string): Promise<Uint8Array | undefined> {
  return translated(async () => {
    const kept = await readMaybe(placeIn(root, hash));
    return kept === undefined ? undefined : new Uint8Array(await expanded(kept));
  });
}

function placeIn(root: string, hash: string): string {
  if (hashForm.test(hash)) return join(root, hash.slice(0, 2), hash);
  throw new AgentError("memory.unavailable", `${hash.slice(0, 80)} names no version.`);
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

const unfinishedEnd = ".unfinished";

/** What a crash left. */
async function removeUnfinished(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true });
  for (const path of entries)
    if (path.endsWith(unfinishedEnd)) await rm(join(root, path), { force: true });
}

async function readMaybe(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}

async function listVersions(root: string): Promise<KeptVersion[]> {
  const directories = (await readdir(root)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const lists = await Promise.all(directories.map((name) => entriesOf(join(root, name))));
  return lists.flat().filter(({ hash }) => hashForm.test(hash));
}

async function entriesOf(directory: string): Promise<KeptVersion[]> {
  const names = (await readdir(directory)).filter((name) => !name.endsWith(unfinishedEnd));
  return Promise.all(
    names.map(async (name) => {
      const { mtimeMs } = await stat(join(directory, name));
      return { hash: name, kept_at: Math.trunc(mtimeMs) };
    }),
  );
}

async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    const why = errnoOf(thrown) ?? String(thrown);
    throw new AgentError("memory.unavailable", `The versions of memory: ${why}.`, {
      retryable: true,
      cause: thrown,
    });
  }
}
