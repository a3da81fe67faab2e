import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LibsqlConnection } from "../../../src/adapters/libsql/libsql-connection.ts";
import type { Durability, LibsqlStore } from "../../../src/adapters/engine/libsql-store.ts";
import { openLibsqlStore } from "../../../src/adapters/engine/open-libsql.ts";
import type { RowStore } from "../../../src/ports/store.ts";
import type { Table } from "../../../src/schema/rows/table.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "../../support/small-disk.ts";

type BlobRow = { id: number; text: string };

const blobTable: Table<BlobRow> = {
  name: "blobs",
  columns: { id: "integer", text: "text" },
  key: ["id"],
  indexes: {},
};

const tables = [blobTable] as readonly Table[];
const unavailable = { code: "store.unavailable", retryable: true };

async function putIn(store: RowStore, id: number, size: number): Promise<void> {
  store.begin();
  try {
    store.put(blobTable, { id, text: "x".repeat(size) });
    await store.commit();
  } catch (error) {
    store.rollback();
    throw error;
  }
}

async function putUntilRefused(
  store: RowStore,
  from: number,
): Promise<{ next: number; refusal: unknown }> {
  for (let id = from; ; id += 1) {
    try {
      await putIn(store, id, 2000);
    } catch (refusal) {
      return { next: id, refusal };
    }
  }
}

const idsOf = (store: RowStore) => store.select(blobTable, { index: "key" }).map(({ id }) => id);
const upTo = (next: number) => Array.from({ length: next - 1 }, (_, index) => index + 1);

describe.skipIf(!canMount).each<Durability>(["power", "process"])(
  "on a full disk (%s)",
  (durability) => {
    let disk: SmallDisk;
    let store: LibsqlStore;

    beforeEach(async () => {
      disk = mountSmallDisk();
      store = await openLibsqlStore({
        url: `file:${join(disk.directory, "a.db")}`,
        tables,
        durability,
      });
    });

    afterEach(async () => {
      await store.close();
      disk.unmount();
    });

    it("refuses a small transaction, keeps what was committed, and goes on when there is room", async () => {
      disk.fill();
      const { next, refusal } = await putUntilRefused(store, 1);
      expect(refusal).toMatchObject(unavailable);
      expect(idsOf(store)).toEqual(upTo(next));
      await expect(putIn(store, next, 2000)).rejects.toMatchObject(unavailable);
      disk.makeRoom();
      await putIn(store, next, 2000);
      expect(idsOf(store)).toEqual(upTo(next + 1));
      expect(await store.committed.get(blobTable, next)).toEqual({
        id: next,
        text: "x".repeat(2000),
      });
    });

    it("refuses a transaction that outgrows memory and disk, whole", async () => {
      await putIn(store, 1, 10);
      disk.fill();
      store.begin();
      const putMany = () => {
        for (let id = 2; id < 200; id += 1) store.put(blobTable, { id, text: "y".repeat(40_000) });
      };
      expect(putMany).toThrow(expect.objectContaining(unavailable));
      expect(() => store.put(blobTable, { id: 900, text: "alone" })).toThrow(
        expect.objectContaining(unavailable),
      );
      await expect(store.commit()).rejects.toMatchObject(unavailable);
      store.rollback();
      disk.makeRoom();
      expect(idsOf(store)).toEqual([1]);
      await putIn(store, 2, 10);
      expect(idsOf(store)).toEqual([1, 2]);
    });

    it("closes and opens again with everything that was committed", async () => {
      disk.fill();
      const { next } = await putUntilRefused(store, 1);
      await store.close();
      disk.makeRoom();
      store = await openLibsqlStore({ url: `file:${store.path}`, tables, durability });
      expect(idsOf(store)).toEqual(upTo(next));
    });
  },
);

describe.skipIf(!canMount)("on a disk that cannot be written", () => {
  it("does not open a store", async () => {
    const disk = mountSmallDisk();
    const directory = await mkdtemp(join(tmpdir(), "statehive-written-"));
    try {
      const written = join(directory, "a.db");
      await (
        await openLibsqlStore({ url: `file:${written}`, tables, durability: "power" })
      ).close();
      const copy = join(disk.directory, "a.db");
      await copyFile(written, copy);
      disk.makeReadOnly();
      await expect(
        openLibsqlStore({ url: `file:${copy}`, tables, durability: "power" }),
      ).rejects.toMatchObject(unavailable);
    } finally {
      disk.unmount();
      await rm(directory, { recursive: true });
    }
  });

  it("says so of a disk that is full from the start", async () => {
    const disk = mountSmallDisk();
    try {
      disk.fill();
      const url = `file:${join(disk.directory, "a.db")}`;
      await expect(openLibsqlStore({ url, tables, durability: "power" })).rejects.toMatchObject(
        unavailable,
      );
      disk.makeRoom();
      const store = await openLibsqlStore({ url, tables, durability: "power" });
      await putIn(store, 1, 10);
      await store.close();
    } finally {
      disk.unmount();
    }
  });
});

describe("a file that somebody else writes", () => {
  it("refuses a transaction until the other one has ended", async ({ onTestFinished }) => {
    const directory = await mkdtemp(join(tmpdir(), "statehive-busy-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const url = `file:${join(directory, "a.db")}`;
    const store = await openLibsqlStore({ url, tables, durability: "power" });
    const other = new LibsqlConnection(join(directory, "a.db"), 0);
    other.exec("BEGIN IMMEDIATE");
    expect(() => store.begin()).toThrow(expect.objectContaining(unavailable));
    other.exec("ROLLBACK");
    await putIn(store, 1, 10);
    expect(idsOf(store)).toEqual([1]);
    other.close();
    await store.close();
  });
});
