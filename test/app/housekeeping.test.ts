import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { silentLog } from "../../src/adapters/log/json-log.ts";
import { auditReads } from "../../src/app/api/audit.ts";
import { keepHouse } from "../../src/app/housekeeping.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { deadLetterTable, journalTable } from "../../src/engine/tables.ts";
import {
  historyCutTable,
  modelCallTable,
  pastCutTable,
  usageTotalTable,
} from "../../src/schema/rows/model-rows.ts";
import { auditTable } from "../../src/schema/rows/audit-rows.ts";
import { messageTable } from "../../src/schema/rows/session-rows.ts";
import { createTestHive, testTtlMs } from "../support/hive.ts";

const dayMs = 86_400_000;
const latest = { index: "key", descending: true, limit: 1 };
const ofSession = (id: string) => ({ index: "key", from: id, upTo: id });
const noSummary = { from_position: 0, kept: [], summary: null, summary_until: 0 };

it("deletes each record when its own time is over, keeps the conversation, and gives the space back", async () => {
  const store = createMemoryStore({ tables: allTables });
  const { engine, clock, say } = await createTestHive({ store });
  let reclaimed = 0;
  const stop = keepHouse({
    engine,
    clock,
    log: silentLog,
    retention: () => ({ journal_days: 30, audit_days: 365, usage_days: 400, memory_days: 365 }),
    reclaim: async () => void (reclaimed += 1),
  });
  await say('call file_read {"path":"a.txt"}');
  await engine.settled();
  await engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
  const count = async () => {
    await engine.settled();
    return [journalTable, deadLetterTable, auditTable, messageTable].map(
      ({ name }) => store.rowCount(name) > 0,
    );
  };
  clock.advance(testTtlMs);
  await engine.settled();
  clock.advance(2 * dayMs);
  expect(await count()).toEqual([true, true, true, true]);
  // The session closes by itself on the way: that too is a record of its day.
  for (let day = 0; day < 32; day++) {
    clock.advance(dayMs);
    await engine.settled();
  }
  expect(await count()).toEqual([false, false, true, true]);
  for (let day = 0; day < 340; day++) {
    clock.advance(dayMs);
    await engine.settled();
  }
  expect(store.rowCount(auditTable.name)).toBe(1);
  const caller = undefined as never;
  expect(await auditReads(engine.read)["audit.verify"]({}, caller)).toMatchObject({ ok: true });
  expect([modelCallTable, usageTotalTable].map(({ name }) => store.rowCount(name))).toEqual([2, 6]);
  for (let day = 0; day < 40; day++) {
    clock.advance(dayMs);
    await engine.settled();
  }
  expect([modelCallTable, usageTotalTable].map(({ name }) => store.rowCount(name))).toEqual([1, 0]);
  expect(reclaimed).toBeGreaterThan(0);
  stop();
});

it("keeps where a conversation began once while a fork may need it, and no longer", async () => {
  const store = createMemoryStore({ tables: allTables });
  const { engine, clock, say } = await createTestHive({ store });
  const stop = keepHouse({
    engine,
    clock,
    log: silentLog,
    retention: () => ({ journal_days: 10, audit_days: 365, usage_days: 400, memory_days: 365 }),
  });
  const cut = async (session_id: string) => {
    await say("hello");
    await engine.settled();
    const [last] = await engine.read.select(journalTable, latest);
    const made_at_position = (last?.seq ?? 0) * 1000;
    const [before] = await engine.read.select(historyCutTable, ofSession(session_id));
    store.begin();
    if (before !== undefined) store.put(pastCutTable, before);
    store.put(historyCutTable, { ...noSummary, session_id, made_at_position });
    await store.commit();
  };
  const kept: Record<number, string> = {};
  for (let day = 1; day <= 30; day++) {
    if (day === 1) await cut("s1");
    if (day === 1) await cut("s2");
    if (day === 5) await cut("s1");
    if (day === 12) await cut("s1");
    clock.advance(dayMs);
    await engine.settled();
    const past = await engine.read.select(pastCutTable, { index: "key" });
    kept[day] = past.map(({ session_id }) => session_id).join(" ");
  }
  stop();
  expect([kept[4], kept[5], kept[12], kept[15]]).toEqual(["", "s1", "s1 s1", "s1 s1"]);
  expect([kept[18], kept[21], kept[25]]).toEqual(["s1", "s1", ""]);
  expect(store.rowCount(historyCutTable.name)).toBe(2);
});

it("forgets what came in over channels when nobody needs it any more, and keeps whom the owner knows and what waits", async () => {
  const store = createMemoryStore({ tables: allTables });
  const { engine, clock } = await createTestHive({ store });
  const began = clock.now();
  const rows = {
    connector_updates: [{ connector_id: "tg", update_id: "1", at: began }],
    rate_buckets: [{ owner: "tg/1001", tokens: 20, at: began, refused: 0, told_at: null }],
    previews: [{ run_id: "r1", connector_id: "tg", scope: "1001", message_id: "4", at: began }],
    pairings: ["open", "approved", "revoked"].map((state) => ({
      connector_id: "tg",
      user_scope: state,
      state,
      created_at: began,
    })),
    deliveries: [0, 1].map((open) => ({ delivery_id: `d${open}`, open, created_at: began })),
  };
  store.begin();
  for (const [name, some] of Object.entries(rows)) {
    const table = allTables.find((one) => one.name === name);
    for (const row of some) if (table !== undefined) store.put(table, row);
  }
  await store.commit();
  const stop = keepHouse({
    engine,
    clock,
    log: silentLog,
    retention: () => ({ journal_days: 10, audit_days: 365, usage_days: 400, memory_days: 365 }),
  });
  const keptOn: Record<number, string> = {};
  for (let day = 0; day < 32; day++) {
    clock.advance(dayMs);
    await engine.settled();
    const kept = Object.keys(rows).map((name) => `${name} ${store.rowCount(name)}`);
    keptOn[day + 1] = kept.join(", ");
  }
  stop();
  const first = "connector_updates 1, rate_buckets 1, previews 1, pairings 3, deliveries 2";
  expect(keptOn[1]).toBe(first);
  expect(keptOn[2]).toBe(first.replace("rate_buckets 1", "rate_buckets 0"));
  expect(keptOn[5]).toBe(
    "connector_updates 0, rate_buckets 0, previews 0, pairings 3, deliveries 2",
  );
  expect(keptOn[12]).toContain("deliveries 1");
  expect(keptOn[32]).toContain("pairings 2");
});
