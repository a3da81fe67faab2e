import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { sessionAddress } from "../../src/actors/session-key.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { timerTable } from "../../src/engine/tables.ts";
import { grantTable } from "../../src/schema/rows/permission-rows.ts";
import { sessionTable } from "../../src/schema/rows/session-rows.ts";
import { chatsWith } from "../support/chats.ts";
import { createTestHive, place, type TestHive, testTtlMs } from "../support/hive.ts";
import { decide, journal, reached, runs, statesOf, tell } from "./hive-watch.ts";

/** An idle session closes by itself; one that works or waits does not. */

const write = 'call file_write {"path":"a.txt","content":"hi"}';
const isClosed = (hive: TestHive) => reached(hive, "session", "closed");
const sessions = (hive: TestHive) => hive.engine.read.select(sessionTable, { index: "key" });
const grants = (hive: TestHive) => hive.engine.read.select(grantTable, { index: "key" });

async function pass(hive: TestHive, ms: number): Promise<void> {
  hive.clock.advance(ms);
  await hive.engine.settled();
}

it("closes when its time is up, takes its grants along, and begins anew under the same key", async () => {
  const hive = await createTestHive();
  await hive.say(write);
  await hive.engine.settled();
  await decide(hive, { scope: "session" });
  await hive.engine.settled();
  expect(await grants(hive)).toHaveLength(1);
  await pass(hive, testTtlMs - 1);
  expect(await statesOf(hive, "session")).toEqual(["idle"]);

  const closed = isClosed(hive);
  await pass(hive, 1);
  expect(await closed).toMatchObject({ event_type: "xstate.after.sessionTtl.session.idle" });
  expect(await grants(hive)).toEqual([]);
  expect(await runs(hive)).toMatchObject([{ state: "done" }]);
  await hive.say(write);
  const [first, second] = await sessions(hive);
  expect(first).toMatchObject({ state: "closed", closed_at: hive.clock.now() });
  expect(second).toMatchObject({ key: first?.key, state: "open" });
  expect(second?.session_id).not.toBe(first?.session_id);
});

it("counts its time from the end of the last run", async () => {
  const hive = await createTestHive();
  await hive.say("hello");
  await hive.engine.settled();
  await pass(hive, testTtlMs - 1);
  await hive.say("hello");
  await hive.engine.settled();
  await pass(hive, testTtlMs - 1);
  expect(await statesOf(hive, "session")).toEqual(["idle"]);
  await pass(hive, 1);
  expect(await statesOf(hive, "session")).toEqual(["closed"]);
});

it("does not close while a run waits for a person, however long", async () => {
  const hive = await createTestHive();
  await hive.say(write);
  await hive.say("hello");
  await hive.engine.settled();
  await pass(hive, 10 * testTtlMs);
  expect(await statesOf(hive, "session")).toEqual(["running"]);
  await tell(hive, "run", "run.cancel");
  await hive.engine.settled();
  expect((await runs(hive)).map(({ state }) => state)).toEqual(["cancelled", "done"]);
  await pass(hive, testTtlMs);
  expect(await statesOf(hive, "session")).toEqual(["closed"]);
});

it.each([
  ["shorter", testTtlMs / 2],
  ["longer", testTtlMs * 2],
])("goes by the time that is set when a message comes: a %s one from the next", async (_, next) => {
  let ttlMs = testTtlMs;
  const hive = await createTestHive();
  const say = chatsWith(hive, () => ttlMs);
  await (
    await say("hello")
  ).ended;
  ttlMs = next;
  await pass(hive, testTtlMs - 1);
  expect(await statesOf(hive, "session")).toEqual(["idle"]);
  await (
    await say("hello again")
  ).ended;
  await hive.engine.settled();
  await pass(hive, next - 1);
  expect(await statesOf(hive, "session")).toEqual(["idle"]);
  await pass(hive, 1);
  expect(await statesOf(hive, "session")).toEqual(["closed"]);
});

it("closes once, at the next start, when its time ran out while the service was down", async () => {
  const store = createMemoryStore({ tables: allTables, strict: true });
  const before = await createTestHive({ store });
  await before.say("hello");
  await before.engine.settled();
  before.clock.advance(10);
  await before.engine.close();
  const { clock } = before;
  clock.advance(2 * testTtlMs);
  const after = await createTestHive({ store: store.crash(), clock });
  await after.engine.settled();
  const ends = (await journal(after)).filter(({ state_after }) => state_after === "closed");
  expect(ends.map(({ address }) => address)).toEqual([sessionAddress(place)]);
  expect(await after.engine.read.select(timerTable, { index: "key" })).toEqual([]);
});
