import SyncDatabase from "libsql";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { distinctSql, schemaOf, selectSql } from "../../src/adapters/engine/libsql-sql.ts";
import {
  activityTable,
  type ActorRow,
  actorTable,
  mailTable,
  timerTable,
} from "../../src/engine/tables.ts";
import type { RowStore } from "../../src/ports/store.ts";
import type { Query, Table } from "../../src/schema/rows/table.ts";
import { countRows, type CountingStore } from "../support/counting-store.ts";
import { type Disk, libsqlDisk, memoryDisk } from "../support/disks.ts";
import { noteTable, openWorld, worldTables } from "../support/engine-world.ts";

/** What an event and a start cost, in rows: the same among ten actors and among ten thousand. */

const idlePuppet = (number: number): ActorRow => ({
  address: `idle/${number}`,
  machine: "puppet",
  version: "1",
  parent: null,
  supervisor: null,
  restart: "temporary",
  input: {},
  snapshot: {
    value: "ready",
    context: { born: 0, seen: [], first: [] },
    activities: {},
    timers: {},
  },
  state: "ready",
  tags: [],
  status: "active",
  seq: 0,
  since: 0,
  trace: "t0",
  created_at: 0,
  ended_at: null,
  error: null,
});

async function fill(store: RowStore, idle: number): Promise<void> {
  store.begin();
  for (let number = 0; number < idle; number += 1) store.put(actorTable, idlePuppet(number));
  await store.commit();
}

async function countsAmong(makeDisk: (tables: readonly Table[]) => Promise<Disk>, idle: number) {
  const disk = await makeDisk(worldTables);
  await fill(await disk.open(), idle);
  let counting: CountingStore | undefined;
  const world = await openWorld(disk, { wrap: (store) => (counting = countRows(store)).store });
  const { counts, reset } = counting as CountingStore;
  const boot = counts();
  const touched = async (work: () => Promise<unknown>) => {
    reset();
    await work();
    return counts();
  };
  const cold = await touched(() => world.tell("idle/7", "puppet.sleep"));
  const warm = await touched(() => world.tell("idle/7", "puppet.wake"));
  await world.worker("w");
  const begun = await touched(() => world.tell("w", "worker.start", { job: "repeat" }));
  const ended = await touched(() => world.tell("idle/7", "puppet.end"));
  await disk.dispose();
  return { boot, cold, warm, begun, ended };
}

describe.each([
  ["memory", memoryDisk],
  ["libsql", libsqlDisk],
] as const)("the engine over %s", (_name, makeDisk) => {
  it("touches the same rows for an event among 10 and among 10,000 actors", async () => {
    const few = await countsAmong(makeDisk, 10);
    expect(await countsAmong(makeDisk, 10_000)).toEqual(few);
    expect(few).toEqual({
      boot: { "counters read": 1, "actors kinds": 1 },
      cold: { "actors read": 1, "actors patched": 1, "journal put": 1, "counters put": 1 },
      warm: { "actors patched": 1, "journal put": 1, "counters put": 1 },
      begun: {
        "actors patched": 1,
        "journal put": 1,
        "activities put": 1,
        "counters put": 1,
      },
      ended: { "actors patched": 1, "journal put": 1, "counters put": 1 },
    });
  });
});

describe("what the engine asks of a libsql file", () => {
  const asked: readonly (readonly [string, Table, Query])[] = [
    ["unread mail", mailTable, { index: "key" }],
    ["open activities", activityTable, { index: "key" }],
    ["due timers", timerTable, { index: "due", upTo: 1 }],
    ["the next timers", timerTable, { index: "due", limit: 65 }],
    ["pending activities", activityTable, { index: "queue", equals: ["src", "pending"], limit: 3 }],
    ["an actor's children", actorTable, { index: "by_parent", equals: ["a", "active"] }],
    [
      "actors of one kind",
      actorTable,
      { index: "by_version", equals: ["active"], from: "m", upTo: "m" },
    ],
    ["ended actors", actorTable, { index: "by_end", from: 1, before: 2, limit: 500 }],
    ["owned rows", noteTable, { index: "by_owner", equals: ["a"] }],
  ];

  it("is answered from an index, without sorting; which versions live, from the index alone", async () => {
    const directory = await mkdtemp(join(tmpdir(), "statehive-plans-"));
    const database = new SyncDatabase(join(directory, "plans.db"));
    database.exec(schemaOf(worldTables));
    const plan = (sql: string) => {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(sql.match(/\?/g) ?? []);
      return (rows as { detail: string }[]).map(({ detail }) => detail).join("; ");
    };
    const plans = asked.map(([what, table, query]) => `${what}: ${plan(selectSql(table, query))}`);
    const kinds = plan(distinctSql(actorTable, "by_version"));
    database.close();
    await rm(directory, { recursive: true });
    expect(plans.filter((line) => line.includes("TEMP B-TREE"))).toEqual([]);
    const scans = plans.filter((line) => line.includes("SCAN") && !line.includes("USING INDEX"));
    expect(scans).toEqual(["unread mail: SCAN mail"]);
    expect(kinds).toBe("SEARCH actors USING COVERING INDEX actors_by_version (status=?)");
  });
});
