import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@libsql/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { openLibsqlStore } from "../../src/adapters/engine/open-libsql.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { verifyAudit } from "../../src/app/records/verify-audit.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import type { Files } from "../../src/ports/files.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { type AuditRow, auditTable } from "../../src/schema/rows/audit-rows.ts";
import { AgentError } from "../../src/schema/errors.ts";
import { audit, decide, results } from "../actors/hive-watch.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "../support/small-disk.ts";
import { wrapStore } from "../support/wrapped-store.ts";

/** What somebody with the database in their hands cannot hide, and what does not happen when nothing can be written down. */

const readOf = (path: string) => `call file_read {"path":"${path}"}`;
const writeOf = (path: string) => `call file_write {"path":"${path}","content":"hi"}`;

describe("a trail of six rows in a file", () => {
  let directory = "";
  let url = "";
  let database: Client;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "statehive-audit-"));
    url = `file:${join(directory, "a.db")}`;
    const store = await openLibsqlStore({ url, tables: allTables, durability: "process" });
    const hive = await createTestHive({ store });
    await hive.say(["a", "b", "c"].map(readOf).join("\n"));
    await hive.engine.settled();
    await hive.engine.close();
    database = createClient({ url });
  });

  afterEach(() => {
    database.close();
    rmSync(directory, { recursive: true });
  });

  async function verifiedAfter(...statements: readonly string[]) {
    for (const statement of statements) await database.execute(statement);
    const store = await openLibsqlStore({ url, tables: allTables, durability: "process" });
    const report = await verifyAudit(store.committed);
    await store.close();
    return report.ok ? report.rows : report.fault;
  }

  it("L06: verifies as the service left it", async () => {
    expect(await verifiedAfter()).toBe(6);
  });

  it("L06: names the row whose hash was made anew by the row that no longer follows it", async () => {
    expect(await verifiedAfter("UPDATE audit SET hash = 'abc' WHERE n = 6")).toMatchObject({
      n: 6,
    });
  });

  it("L06: names the gap where a row was deleted, and the end that was cut off", async () => {
    expect(await verifiedAfter("DELETE FROM audit WHERE n = 3")).toEqual({
      n: 4,
      message: "rows 3 to 3 are missing",
    });
    expect(await verifiedAfter("DELETE FROM audit WHERE n >= 3")).toEqual({
      n: 3,
      message: "the rows from 3 to 6 are missing",
    });
    expect(await verifiedAfter("DELETE FROM audit")).toMatchObject({ n: 1 });
  });

  it("L06: names the first of two rows that have changed places", async () => {
    const moved = [
      [3, 99],
      [5, 3],
      [99, 5],
    ].map(([from, to]) => `UPDATE audit SET n = ${to} WHERE n = ${from}`);
    expect(await verifiedAfter(...moved)).toEqual({
      n: 3,
      message: "it does not follow the row before it",
    });
  });

  it("L06: names a row that was put in, also at the end", async () => {
    const columns = Object.keys(auditTable.columns).filter((column) => column !== "n");
    const copy = `INSERT INTO audit (n, ${columns.join()}) SELECT 7, ${columns.join()} FROM audit WHERE n = 6`;
    expect(await verifiedAfter(copy)).toMatchObject({ n: 7 });
  });
});

it("L06: names the row of which any column was edited", async () => {
  const store = createMemoryStore({ tables: allTables });
  const hive = await createTestHive({ store });
  await hive.say(["a", "b"].map(readOf).join("\n"));
  await hive.engine.settled();
  const row = store.get(auditTable, 2) as AuditRow;
  for (const column of Object.keys(auditTable.columns)) {
    if (column === "n") continue;
    const edited = typeof row[column as keyof AuditRow] === "number" ? 7 : "edited";
    await change(store, { [column]: edited });
    expect([column, await verifyAudit(store.committed)]).toMatchObject([
      column,
      { ok: false, fault: { n: 2 } },
    ]);
    await change(store, row);
  }
  expect(await verifyAudit(store.committed)).toMatchObject({ ok: true, rows: 4 });
});

async function change(store: RowStore, columns: Partial<AuditRow>): Promise<void> {
  store.begin();
  store.patch(auditTable, [2], columns);
  await store.commit();
}

/** A store that refuses rows of the audit for as long as it is told to. */
function refusing(refusal: Error, kind?: AuditRow["kind"]) {
  const store = createMemoryStore({ tables: allTables, strict: true });
  let refuses = true;
  const put: RowStore["put"] = (table, row) => {
    const isMeant = kind === undefined || kind === (row as AuditRow).kind;
    if (refuses && isMeant && table.name === auditTable.name) throw refusal;
    store.put(table, row);
  };
  return { store: wrapStore(store, { put }), heal: () => void (refuses = false) };
}

function countedFiles() {
  const done: string[] = [];
  const files = createMemoryFiles({ "in.txt": "in" });
  const counted: Files = {
    ...files,
    chunks: (path) => {
      done.push(`read ${path}`);
      return files.chunks(path);
    },
    write: async (path, content) => {
      done.push(`write ${path}`);
      return files.write(path, content);
    },
  };
  return { files: counted, done };
}

const full = new AgentError("store.unavailable", "the disk is full", { retryable: true });
const broken = new Error("the row was refused");

async function played(refusal: Error, kind?: AuditRow["kind"]) {
  const { store, heal } = refusing(refusal, kind);
  const { files, done } = countedFiles();
  const hive = await createTestHive({ store, files });
  return { hive, done, heal };
}

/** Resolves once nothing can be written. */
function degraded({ engine }: TestHive): Promise<void> {
  return new Promise((resolve) => {
    engine.onHealth((fault) => fault !== null && resolve());
  });
}

async function healed({ engine, clock }: TestHive): Promise<void> {
  const settled = engine.settled();
  clock.advance(1_000);
  await settled;
}

describe("when the audit cannot be written", () => {
  it("L06: what the policy allows is not executed before it is written down", async () => {
    const { hive, done, heal } = await played(full);
    const isFull = degraded(hive);
    await hive.say(readOf("in.txt"));
    await isFull;
    expect(done).toEqual([]);
    heal();
    await healed(hive);
    expect(done).toEqual(["read in.txt"]);
    expect(await audit(hive)).toMatchObject([
      { kind: "decision", status: "allowed" },
      { kind: "invocation", status: "done" },
    ]);
  });

  it("L06: what a person allows is not executed, and they are told to say it again", async () => {
    const { hive, done, heal } = await played(full);
    await hive.say(writeOf("out.txt"));
    await hive.engine.settled();
    await expect(decide(hive)).rejects.toMatchObject({ code: "store.unavailable" });
    expect(done).toEqual([]);
    heal();
    await healed(hive);
    await decide(hive);
    await hive.engine.settled();
    expect(done).toEqual(["write out.txt"]);
  });

  it("L06: what the store refuses for good is never executed", async () => {
    const { hive, done } = await played(broken);
    await hive.say(`${readOf("in.txt")}\n${writeOf("out.txt")}`);
    await hive.engine.settled();
    await decide(hive).catch(() => {});
    await hive.engine.settled();
    expect(done).toEqual([]);
  });

  it("L06: what was executed is written down when there is room again, and not executed anew", async () => {
    const { hive, done, heal } = await played(full, "invocation");
    await hive.say(writeOf("out.txt"));
    await hive.engine.settled();
    const isFull = degraded(hive);
    await decide(hive);
    await isFull;
    expect((await audit(hive)).map(({ kind }) => kind)).toEqual(["decision"]);
    heal();
    await healed(hive);
    expect(done).toEqual(["write out.txt"]);
    expect((await audit(hive)).map(({ kind }) => kind)).toEqual(["decision", "invocation"]);
  });
});

describe.skipIf(!canMount)("on a disk that is full", () => {
  let disk: SmallDisk;

  beforeEach(() => {
    disk = mountSmallDisk();
  });

  afterEach(() => disk.unmount());

  it("L06: nothing is executed until there is room for what must be written down", async () => {
    const url = `file:${join(disk.directory, "a.db")}`;
    const store = await openLibsqlStore({ url, tables: allTables, durability: "power" });
    const { files, done } = countedFiles();
    const hive = await createTestHive({ store, files });
    await hive.say(writeOf("out.txt"));
    await hive.engine.settled();
    disk.fill();
    await fillPages(hive);
    await expect(decide(hive)).rejects.toMatchObject({ code: "store.unavailable" });
    expect(done).toEqual([]);

    disk.makeRoom();
    await healed(hive);
    await decide(hive);
    await hive.engine.settled();
    expect(done).toEqual(["write out.txt"]);
    expect(await results(hive)).toEqual(["Created out.txt (2 bytes)."]);
    expect(await verifyAudit(store.committed)).toMatchObject({ ok: true, rows: 2 });
    await hive.engine.close();
  });
});

/** What the database still has of room in its own pages is used up. */
async function fillPages(hive: TestHive): Promise<void> {
  for (let n = 0; n < 2_000; n += 1) {
    const sent = hive.say("x".repeat(10_000), `${place}-${n}`);
    if (
      (await sent.then(
        () => "taken",
        () => "refused",
      )) === "refused"
    )
      return;
  }
  throw new Error("the disk never filled");
}
