import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { backup } from "../../../src/adapters/engine/libsql-backup.ts";
import { LibsqlConnection } from "../../../src/adapters/libsql/libsql-connection.ts";
import type { LibsqlStore } from "../../../src/adapters/engine/libsql-store.ts";
import { openLibsqlStore } from "../../../src/adapters/engine/open-libsql.ts";
import { openReadOnly } from "../../../src/adapters/engine/open-read-only.ts";
import type { RowStore } from "../../../src/ports/store.ts";
import type { Table } from "../../../src/schema/rows/table.ts";
import { canMount, mountSmallDisk } from "../../support/small-disk.ts";

type NoteRow = { id: number; text: string };
type TitledRow = NoteRow & { title: string | null };

const noteTable: Table<NoteRow> = {
  name: "notes",
  columns: { id: "integer", text: "text" },
  key: ["id"],
  indexes: {},
};

const titledTable: Table<TitledRow> = {
  name: "notes",
  columns: { id: "integer", text: "text", title: "text" },
  key: ["id"],
  indexes: { by_title: { equals: ["title"], order: ["id"] } },
};

const tables = [noteTable] as readonly Table[];
const newerTables = [titledTable] as readonly Table[];
const addTitle = `ALTER TABLE "notes" ADD COLUMN "title" TEXT;
CREATE INDEX "notes_by_title" ON "notes" ("title", "id");`;

let directory: string;
let path: string;
const opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "statehive-open-"));
  path = join(directory, "statehive.db");
});

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await rm(directory, { recursive: true });
});

async function open(
  options: Partial<Parameters<typeof openLibsqlStore>[0]> = {},
): Promise<LibsqlStore> {
  const store = await openLibsqlStore({
    url: `file:${path}`,
    tables,
    migrations: [],
    durability: "power",
    ...options,
  });
  opened.push(store);
  return store;
}

async function put(store: RowStore, ...rows: readonly NoteRow[]): Promise<void> {
  store.begin();
  for (const row of rows) store.put(noteTable, row);
  await store.commit();
}

async function writtenFile(): Promise<void> {
  const store = await open();
  await put(store, { id: 1, text: "first" }, { id: 2, text: "second" });
  await store.close();
}

const hashOf = async (file: string) =>
  createHash("sha256")
    .update(await readFile(file))
    .digest("hex");

function valueIn(file: string, sql: string): unknown {
  const connection = new LibsqlConnection(file, 0);
  try {
    return connection.value(sql);
  } finally {
    connection.close();
  }
}

describe("a new file", () => {
  it("is its owner's alone, in WAL mode, with a version, and can shrink", async () => {
    await put(await open(), { id: 1, text: "x" });
    for (const name of await readdir(directory)) {
      expect([name, (await stat(join(directory, name))).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(valueIn(path, "PRAGMA journal_mode")).toBe("wal");
    expect(valueIn(path, "PRAGMA user_version")).toBe(1);
    expect(valueIn(path, "PRAGMA auto_vacuum")).toBe(2);
  });

  it.each(["with space", "with?question", "with#hash", "100%25", "it's"])(
    "may lie in a directory named %s",
    async (name) => {
      const odd = await mkdtemp(join(directory, name));
      const url = pathToFileURL(join(odd, "a.db")).href;
      const store = await open({ url });
      await put(store, { id: 1, text: "x" });
      expect(await store.committed.get(noteTable, 1)).toEqual({ id: 1, text: "x" });
      expect(store.path).toBe(join(odd, "a.db"));
      await backup(url, join(odd, "copy's.db"));
      expect(valueIn(join(odd, "copy's.db"), "SELECT count(*) FROM notes")).toBe(1);
    },
  );

  it("is refused by a url that is not a file's", async () => {
    await expect(open({ url: "libsql://example.org" })).rejects.toMatchObject({
      code: "config.invalid",
    });
    await expect(open({ url: "file:relative.db" })).rejects.toMatchObject({
      code: "config.invalid",
    });
  });

  it("is not made where there is no directory", async () => {
    const url = `file:${join(directory, "none", "a.db")}`;
    await expect(open({ url })).rejects.toMatchObject({ code: "store.unavailable" });
  });
});

describe("an existing file", () => {
  it("is left untouched when a newer statehive wrote it", async () => {
    await writtenFile();
    const connection = new LibsqlConnection(path, 0);
    connection.exec("PRAGMA user_version = 7");
    connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    connection.close();
    const before = await hashOf(path);
    await expect(open()).rejects.toMatchObject({ code: "store.newer" });
    await expect(
      openReadOnly({ url: `file:${path}`, tables, migrations: [] }),
    ).rejects.toMatchObject({
      code: "store.newer",
    });
    expect(await hashOf(path)).toBe(before);
  });

  it.each<[string, (whole: Buffer) => Buffer]>([
    ["text", () => Buffer.from("this is no database, it is text\n".repeat(40))],
    ["cut in the middle", (whole) => whole.subarray(0, whole.length >> 1)],
    [
      "overwritten at its second page",
      (whole) => Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 0xff)]),
    ],
    [
      "overwritten in its schema",
      (whole) =>
        Buffer.concat([whole.subarray(0, 100), Buffer.alloc(3996, 0xee), whole.subarray(4096)]),
    ],
  ])("is called damaged when it is %s", async (_, damage) => {
    await writtenFile();
    await writeFile(path, damage(await readFile(path)));
    const use = async () => {
      const store = await open();
      store.select(noteTable, { index: "key" });
    };
    await expect(use()).rejects.toMatchObject({ code: "store.corrupt" });
  });

  it("is refused when it is somebody else's database", async () => {
    const connection = new LibsqlConnection(path, 0);
    connection.exec("CREATE TABLE theirs (a)");
    connection.close();
    await expect(open()).rejects.toMatchObject({ code: "store.corrupt" });
    expect(valueIn(path, "SELECT group_concat(name) FROM sqlite_master")).toBe("theirs");
  });

  it("is refused when it lacks a table that this version has", async () => {
    await writtenFile();
    await expect(open({ tables: newerTables })).rejects.toMatchObject({
      code: "store.corrupt",
      message: expect.stringContaining("notes.title"),
    });
  });
});

describe("a file whose service was killed", () => {
  it("is opened with every commit, and without what was not committed", async () => {
    const store = await open();
    await put(store, { id: 1, text: "committed" });
    store.begin();
    store.put(noteTable, { id: 2, text: "not committed" });
    const left = join(directory, "left.db");
    await copyFile(path, left);
    await copyFile(`${path}-wal`, `${left}-wal`);
    store.rollback();
    const next = await open({ url: `file:${left}` });
    expect(next.select(noteTable, { index: "key" })).toEqual([{ id: 1, text: "committed" }]);
    await put(next, { id: 3, text: "goes on" });
  });

  it("is opened without the end of its log when that is torn", async () => {
    const store = await open();
    for (let id = 1; id <= 20; id += 1) await put(store, { id, text: "x".repeat(500) });
    const left = join(directory, "left.db");
    await copyFile(path, left);
    const log = await readFile(`${path}-wal`);
    await writeFile(`${left}-wal`, log.subarray(0, log.length - 1000));
    const next = await open({ url: `file:${left}` });
    const ids = next.select(noteTable, { index: "key" }).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
  });
});

describe("migrating", () => {
  it("brings an older file forward, with a copy of it before", async () => {
    await writtenFile();
    const store = await open({ tables: newerTables, migrations: [addTitle] });
    expect(store.get(titledTable, 1)).toEqual({ id: 1, text: "first", title: null });
    expect(valueIn(path, "PRAGMA user_version")).toBe(2);
    const copy = `${path}.before-v2`;
    expect(valueIn(copy, "PRAGMA user_version")).toBe(1);
    expect(valueIn(copy, "SELECT count(*) FROM notes")).toBe(2);
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
  });

  it("runs every step in between, in order, and none twice", async () => {
    await writtenFile();
    const migrations = [
      addTitle,
      "UPDATE notes SET title = text",
      "UPDATE notes SET title = title || '!'",
    ];
    await (await open({ tables: newerTables, migrations })).close();
    const store = await open({ tables: newerTables, migrations });
    expect(store.select(titledTable, { index: "key" }).map(({ title }) => title)).toEqual([
      "first!",
      "second!",
    ]);
    expect(valueIn(path, "PRAGMA user_version")).toBe(4);
  });

  it("leaves the file as it was when a step fails", async () => {
    await writtenFile();
    const migrations = [addTitle, "INSERT INTO nowhere VALUES (1)"];
    await expect(open({ tables: newerTables, migrations })).rejects.toThrow(/nowhere/);
    const store = await open();
    expect(store.select(noteTable, { index: "key" })).toHaveLength(2);
    expect(valueIn(path, "PRAGMA user_version")).toBe(1);
  });

  it("makes a new file in the latest version without a copy", async () => {
    await open({ tables: newerTables, migrations: [addTitle] });
    expect(valueIn(path, "PRAGMA user_version")).toBe(2);
    expect(existsSync(`${path}.before-v2`)).toBe(false);
  });
});

describe("reading while no service runs", () => {
  it("finds no file and makes none", async () => {
    await expect(
      openReadOnly({ url: `file:${path}`, tables, migrations: [] }),
    ).rejects.toMatchObject({
      code: "file.not_found",
    });
    expect(await readdir(directory)).toEqual([]);
  });

  it("reads what a clean stop left, and changes no byte of it", async () => {
    await writtenFile();
    const before = await hashOf(path);
    const reading = await openReadOnly({ url: `file:${path}`, tables, migrations: [] });
    expect(await reading.committed.select(noteTable, { index: "key", descending: true })).toEqual([
      { id: 2, text: "second" },
      { id: 1, text: "first" },
    ]);
    await reading.close();
    expect(await hashOf(path)).toBe(before);
  });

  it("reads what a killed service left beside the file", async () => {
    const store = await open();
    await put(store, { id: 1, text: "in the log only" });
    const left = join(directory, "left.db");
    await copyFile(path, left);
    await copyFile(`${path}-wal`, `${left}-wal`);
    const reading = await openReadOnly({ url: `file:${left}`, tables, migrations: [] });
    expect(await reading.committed.get(noteTable, 1)).toEqual({ id: 1, text: "in the log only" });
    await reading.close();
    expect((await readdir(directory)).filter((name) => name.startsWith("left"))).toEqual([
      "left.db",
      "left.db-wal",
    ]);
  });

  it.skipIf(!canMount).each([
    ["after a clean stop", [""]],
    ["with the log of a killed service", ["", "-wal"]],
    ["with that log and its index", ["", "-wal", "-shm"]],
  ])("reads from a disk that cannot be written, %s", async (_name, parts) => {
    const store = await open();
    await put(store, { id: 1, text: "kept" });
    if (parts.length === 1) await store.close();
    const disk = mountSmallDisk();
    onTestFinished(() => disk.unmount());
    for (const part of parts) await copyFile(`${path}${part}`, join(disk.directory, `a.db${part}`));
    disk.makeReadOnly();
    const reading = await openReadOnly({
      url: `file:${disk.directory}/a.db`,
      tables,
      migrations: [],
    });
    expect(await reading.committed.get(noteTable, 1)).toEqual({ id: 1, text: "kept" });
    await reading.close();
  });

  it("does not migrate", async () => {
    await writtenFile();
    const options = { url: `file:${path}`, tables: newerTables, migrations: [addTitle] };
    await expect(openReadOnly(options)).rejects.toMatchObject({ code: "store.unavailable" });
    expect(valueIn(path, "PRAGMA user_version")).toBe(1);
  });

  it("does not stop a service from starting and writing meanwhile", async () => {
    await writtenFile();
    const reading = await openReadOnly({ url: `file:${path}`, tables, migrations: [] });
    await reading.committed.get(noteTable, 1);
    const store = await open();
    await put(store, { id: 3, text: "third" });
    expect(await reading.committed.get(noteTable, 3)).toEqual({ id: 3, text: "third" });
    await reading.close();
  });
});

describe("a backup", () => {
  it("is a whole copy of a file in use, for its owner alone", async () => {
    const store = await open();
    await put(store, { id: 1, text: "kept" });
    store.begin();
    store.put(noteTable, { id: 2, text: "not committed" });
    const copy = join(directory, "copy.db");
    await backup(`file:${path}`, copy);
    store.rollback();
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    const restored = await open({ url: `file:${copy}` });
    expect(restored.select(noteTable, { index: "key" })).toEqual([{ id: 1, text: "kept" }]);
    expect(valueIn(copy, "PRAGMA auto_vacuum")).toBe(2);
    expect(valueIn(copy, "PRAGMA integrity_check")).toBe("ok");
  });

  it("holds what stands in a log without its index alone", async () => {
    await put(await open(), { id: 1, text: "in the log only" });
    const left = join(directory, "left.db");
    for (const part of ["", "-wal"]) await copyFile(`${path}${part}`, `${left}${part}`);
    const copy = join(directory, "copy.db");
    await backup(`file:${left}`, copy);
    expect(valueIn(copy, "SELECT text FROM notes")).toBe("in the log only");
    expect(existsSync(`${left}-shm`)).toBe(false);
  });

  it("overwrites nothing", async () => {
    await writtenFile();
    const target = join(directory, "precious.txt");
    await writeFile(target, "precious");
    await expect(backup(`file:${path}`, target)).rejects.toMatchObject({ code: "file.refused" });
    expect(await readFile(target, "utf8")).toBe("precious");
  });

  it("of a damaged file leaves no copy", async () => {
    await writeFile(path, "not a database at all ".repeat(100));
    const target = join(directory, "copy.db");
    await expect(backup(`file:${path}`, target)).rejects.toMatchObject({ code: "store.corrupt" });
    expect(existsSync(target)).toBe(false);
  });

  it("needs a database", async () => {
    const target = join(directory, "copy.db");
    await expect(backup(`file:${path}`, target)).rejects.toMatchObject({ code: "file.not_found" });
    expect(await readdir(directory)).toEqual([]);
  });
});

describe("reclaiming", () => {
  it("gives the room of removed rows back while transactions go on", async () => {
    const store = await open();
    const rows = Array.from({ length: 1000 }, (_, id) => ({ id, text: "x".repeat(4000) }));
    await put(store, ...rows);
    store.begin();
    for (const { id } of rows) store.remove(noteTable, id);
    await store.commit();
    const reclaiming = store.reclaim();
    for (let id = 5000; id < 5020; id += 1) await put(store, { id, text: "meanwhile" });
    await reclaiming;
    expect(store.select(noteTable, { index: "key" })).toHaveLength(20);
    await store.close();
    expect((await stat(path)).size).toBeLessThan(100_000);
  });

  it("ends when the store is closed", async () => {
    const store = await open();
    const reclaiming = store.reclaim();
    await store.close();
    await expect(reclaiming).resolves.toBeUndefined();
  });
});
