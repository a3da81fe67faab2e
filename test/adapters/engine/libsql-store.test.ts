import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LibsqlConnection } from "../../../src/adapters/libsql/libsql-connection.ts";
import { openLibsqlStore } from "../../../src/adapters/engine/open-libsql.ts";
import type { Durability, LibsqlStore } from "../../../src/adapters/engine/libsql-store.ts";
import type { Table } from "../../../src/schema/rows/table.ts";
import {
  contractTables,
  storeContract,
  type StoreUnderTest,
} from "../../contracts/store.contract.ts";

function onDisk(durability: Durability) {
  return async (): Promise<StoreUnderTest> => {
    const directory = await mkdtemp(join(tmpdir(), "statehive-store-"));
    const open = () =>
      openLibsqlStore({ url: `file:${directory}/test.db`, tables: contractTables, durability });
    let store = await open();
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await open();
        return store;
      },
      dispose: async () => {
        await store.close();
        await rm(directory, { recursive: true });
      },
    };
  };
}

function noteNumber(number: number) {
  return { space: "a", number, author: null, at: number, weight: null, text: "", data: null };
}

describe.each(["process", "power"] as const)("commits to a libSQL file (%s)", (durability) => {
  it("give way to all else, however many follow each other", async () => {
    const { store, dispose } = await onDisk(durability)();
    const table = contractTables[0] as Table;
    let isServed = false;
    setImmediate(() => (isServed = true));
    const from = performance.now();
    while (performance.now() - from < 100) {
      store.begin();
      for (let number = 0; number < 200; number += 1) store.put(table, noteNumber(number));
      await store.commit();
    }
    expect(isServed).toBe(true);
    await dispose();
  });
});

describe("committed reads of a libSQL file", () => {
  it("see what was committed before them while longer reads are still under way", async () => {
    const { store, dispose } = await onDisk("process")();
    const table = contractTables[0] as Table;
    const put = async (numbers: readonly number[]) => {
      store.begin();
      for (const number of numbers) store.put(table, noteNumber(number));
      await store.commit();
    };
    await put(Array.from({ length: 2000 }, (_, index) => index));
    const everything = { index: "key" };
    const longer = Array.from({ length: 4 }, () => store.committed.select(table, everything));
    for (let number = 2000; number < 2010; number++) {
      await put([number]);
      longer.push(store.committed.select(table, everything));
      expect(await store.committed.get(table, "a", number)).toMatchObject({ number });
    }
    await Promise.all(longer);
    await dispose();
  });

  it("give way to all else, however many short ones follow each other", async () => {
    const { store, dispose } = await onDisk("process")();
    const table = contractTables[0] as Table;
    const turns: number[] = [];
    const watch = setInterval(() => turns.push(performance.now()), 0);
    const began = performance.now();
    const chain = async () => {
      while (turns.length === 0 && performance.now() - began < 2_000)
        await store.committed.get(table, "a", 1);
    };
    await Promise.all(Array.from({ length: 8 }, chain));
    clearInterval(watch);
    expect(turns).not.toEqual([]);
    await dispose();
  });
});

describe("a libSQL file with a foreign hand in it", () => {
  it("calls json that is none damage", async () => {
    const { store, dispose } = await onDisk("power")();
    const { path } = store as LibsqlStore;
    const connection = new LibsqlConnection(path, 0);
    connection.exec("INSERT INTO notes (space, number, data) VALUES ('a', 1, '{')");
    connection.close();
    const table = contractTables[0] as Table;
    expect(() => store.get(table, "a", 1)).toThrow(
      expect.objectContaining({ code: "store.corrupt" }),
    );
    await expect(store.committed.get(table, "a", 1)).rejects.toMatchObject({
      code: "store.corrupt",
    });
    await dispose();
  });
});

describe("rows that a libSQL file refuses", () => {
  it.each<[string, object]>([
    ["a fraction for an integer", { name: "a", value: 1.5 }],
    ["an integer too large to be exact", { name: "a", value: 2 ** 53 }],
    ["a flag that is no number", { name: "a", value: true }],
    ["a column left out", { name: "a" }],
    ["no key", { name: null, value: 1 }],
    ["a number for text", { name: 5, value: 1 }],
  ])("name the table and the column: %s", async (_, row) => {
    const { store, dispose } = await onDisk("process")();
    const table = contractTables[2] as Table;
    store.begin();
    expect(() => store.put(table, row as Record<string, unknown>)).toThrow(
      /^tallies\.(name|value) is (text|integer)/,
    );
    store.put(table, { name: "b", value: 2 });
    await store.commit();
    expect(store.select(table, { index: "key" })).toEqual([{ name: "b", value: 2 }]);
    await dispose();
  });
});

storeContract("a libSQL file that outlives power cuts", onDisk("power"));
storeContract("a libSQL file that outlives the process", onDisk("process"));
