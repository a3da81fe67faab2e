import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRemoteDatabase, openRemoteStore } from "../../../src/adapters/engine/open-remote.ts";
import { connectRemote, type RemoteDatabase } from "../../../src/adapters/engine/remote-client.ts";
import type { RowStore } from "../../../src/ports/store.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import type { Table } from "../../../src/schema/rows/table.ts";
import { startHranaServer } from "../../support/hrana-server.ts";
import { contractTables, storeContract } from "../../contracts/store.contract.ts";

/** The client's own `file:` databases stand for the remote one: same API, no network. */

storeContract("a store over @libsql/client", async () => {
  const directory = await mkdtemp(join(tmpdir(), "statehive-remote-"));
  const open = () =>
    openRemoteStore({ url: `file:${directory}/remote.db`, tables: contractTables });
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
});

storeContract("a store behind a server", async () => {
  const directory = await mkdtemp(join(tmpdir(), "statehive-server-"));
  const server = await startHranaServer(join(directory, "served.db"), "secret");
  const open = () =>
    openRemoteStore({ url: server.url, authToken: "secret", tables: contractTables });
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
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
});

type NoteRow = { id: number; text: string };

const noteTable: Table<NoteRow> = {
  name: "notes",
  columns: { id: "integer", text: "text" },
  key: ["id"],
  indexes: {},
};

const ousted = { code: "store.unavailable", retryable: false };

const tables = [noteTable] as readonly Table[];

type Fault = "none" | "request lost" | "answer lost" | "delayed";

/** A line to the database that fails as told. */
function faultyLine(database: RemoteDatabase) {
  const lost = new AgentError("store.unavailable", "fetch failed", { retryable: true });
  const delayed: (() => Promise<unknown>)[] = [];
  const line = {
    fault: "none" as Fault,
    deliverDelayed: async () => Promise.allSettled(delayed.splice(0).map((send) => send())),
  };
  const batch: RemoteDatabase["batch"] = async (statements) => {
    if (line.fault === "delayed") delayed.push(() => database.batch(statements));
    if (line.fault === "answer lost") await database.batch(statements);
    if (line.fault !== "none") throw lost;
    return database.batch(statements);
  };
  return { line, database: { ...database, batch } };
}

describe("a line that fails", () => {
  let directory: string;
  const opened: RowStore[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "statehive-line-"));
  });

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await rm(directory, { recursive: true });
  });

  const connect = () => connectRemote(`file:${directory}/remote.db`, undefined);
  const open = async (database: RemoteDatabase) => {
    const store = await openRemoteDatabase(database, tables, []);
    opened.push(store);
    return store;
  };
  const put = async (store: RowStore, ...rows: readonly NoteRow[]) => {
    store.begin();
    for (const row of rows) store.put(noteTable, row);
    await store.commit();
  };
  const stored = async () => {
    const database = connect();
    const rows = await database.rows({ sql: "SELECT id, text FROM notes ORDER BY id", args: [] });
    database.close();
    return rows.map(([id, text]) => `${id} ${text}`);
  };

  it.each<Fault>(["request lost", "answer lost", "delayed"])(
    "leaves the store as it was, and the database like the store after the next commit: %s",
    async (fault) => {
      const { line, database } = faultyLine(connect());
      const store = await open(database);
      await put(store, { id: 1, text: "one" }, { id: 2, text: "two" });
      line.fault = fault;
      for (const attempt of ["first", "second"]) {
        store.begin();
        store.put(noteTable, { id: 1, text: attempt });
        store.put(noteTable, { id: 3, text: attempt });
        store.remove(noteTable, 2);
        await expect(store.commit()).rejects.toMatchObject({
          code: "store.unavailable",
          retryable: true,
        });
        store.rollback();
      }
      expect(store.select(noteTable, { index: "key" }).map(({ text }) => text)).toEqual([
        "one",
        "two",
      ]);
      line.fault = "none";
      await put(store, { id: 4, text: "four" });
      await line.deliverDelayed();
      expect(await stored()).toEqual(["1 one", "2 two", "4 four"]);
      await put(store, { id: 5, text: "five" });
      expect(await stored()).toEqual(["1 one", "2 two", "4 four", "5 five"]);
    },
  );

  it("undoes a batch that arrives between two others", async () => {
    const { line, database } = faultyLine(connect());
    const store = await open(database);
    line.fault = "delayed";
    await expect(put(store, { id: 1, text: "late" })).rejects.toMatchObject({
      code: "store.unavailable",
    });
    await line.deliverDelayed();
    expect(await stored()).toEqual(["1 late"]);
    line.fault = "none";
    await put(store, { id: 2, text: "next" });
    expect(await stored()).toEqual(["2 next"]);
  });

  it("lets the last process that opened the database be its only writer", async () => {
    const first = await open(connect());
    await put(first, { id: 1, text: "one" });
    const second = await open(connect());
    await put(second, { id: 2, text: "two" });
    await expect(put(first, { id: 3, text: "three" })).rejects.toMatchObject(ousted);
    first.rollback();
    expect(() => first.begin()).toThrow(expect.objectContaining(ousted));
    await put(second, { id: 4, text: "four" });
    expect(await stored()).toEqual(["1 one", "2 two", "4 four"]);
  });

  it("takes no claim of another process for a lost batch of its own", async () => {
    const { line, database } = faultyLine(connect());
    const first = await open(database);
    await put(first, { id: 1, text: "one" });
    line.fault = "request lost";
    await expect(put(first, { id: 2, text: "two" })).rejects.toMatchObject({
      code: "store.unavailable",
    });
    await open(connect());
    line.fault = "none";
    await expect(put(first, { id: 3, text: "three" })).rejects.toMatchObject(ousted);
    expect(await stored()).toEqual(["1 one"]);
  });

  it("refuses a database that a newer statehive wrote", async () => {
    await (await open(connect())).close();
    const database = connect();
    await database.rows({ sql: "UPDATE statehive_writer SET version = 9", args: [] });
    database.close();
    await expect(open(connect())).rejects.toMatchObject({ code: "store.newer" });
  });

  it("migrates an older database in one batch", async () => {
    const store = await open(connect());
    await put(store, { id: 1, text: "one" });
    await store.close();
    const titled = {
      ...noteTable,
      columns: { ...noteTable.columns, title: "text" },
    } as unknown as Table;
    const migrations = [
      "ALTER TABLE notes ADD COLUMN title TEXT;\nUPDATE notes SET title = text;\n",
    ];
    const next = await openRemoteDatabase(connect(), [titled], migrations);
    opened.push(next);
    expect(next.get(titled, 1)).toEqual({ id: 1, text: "one", title: "one" });
  });

  it("sends a commit in one request, and stops when the server does", async () => {
    const server = await startHranaServer(join(directory, "remote.db"), "secret");
    const store = await open(connectRemote(server.url, "secret"));
    const before = server.requests();
    await put(store, ...Array.from({ length: 30 }, (_, id) => ({ id, text: "x" })));
    expect(server.requests() - before).toBe(1);
    await server.close();
    await expect(put(store, { id: 99, text: "lost" })).rejects.toMatchObject({
      code: "store.unavailable",
      retryable: true,
    });
    await expect(store.committed.get(noteTable, 1)).rejects.toMatchObject({
      code: "store.unavailable",
    });
    expect(store.get(noteTable, 99)).toBeUndefined();
    expect(store.get(noteTable, 29)).toEqual({ id: 29, text: "x" });
  });

  it("is refused with a wrong token", async () => {
    const server = await startHranaServer(join(directory, "remote.db"), "secret");
    await expect(open(connectRemote(server.url, "guess"))).rejects.toMatchObject({
      code: "store.unavailable",
    });
    await server.close();
  });

  it("says that an address is none", async () => {
    await expect(openRemoteStore({ url: "gopher://x", tables })).rejects.toMatchObject({
      code: "config.invalid",
    });
    await expect(openRemoteStore({ url: "http://127.0.0.1:9", tables })).rejects.toMatchObject({
      code: "store.unavailable",
    });
  });
});
