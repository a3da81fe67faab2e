import { expect, it } from "vitest";
import type { Notice } from "../../src/engine/engine.ts";
import { grantTable } from "../../src/schema/rows/permission-rows.ts";
import { inboxTable, sessionTable } from "../../src/schema/rows/session-rows.ts";
import { sessionAddress } from "../../src/actors/session-key.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";
import { approvals, decide, journal, reached, runs, statesOf } from "./hive-watch.ts";

/** What begins and ends with a session. */

const session = sessionAddress(place);
const write = 'call file_write {"path":"a.txt","content":"hi"}';

const sessions = (hive: TestHive) => hive.engine.read.select(sessionTable, { index: "key" });
const grants = (hive: TestHive) => hive.engine.read.select(grantTable, { index: "key" });
const inbox = (hive: TestHive) => hive.engine.read.select(inboxTable, { index: "key" });
const close = (hive: TestHive) =>
  hive.engine.send(session, { type: "session.cancel" }, { origin: "cli", poke: true });

it("answers messages one after the other, in their order, each under its own trace", async () => {
  const hive = await createTestHive();
  await hive.say("hello");
  await hive.say('call file_list {"path":"."}');
  await hive.say("hello again");
  expect(await inbox(hive)).toHaveLength(2);
  await hive.engine.settled();
  expect(await inbox(hive)).toEqual([]);
  const all = await runs(hive);
  expect(all.map(({ state }) => state)).toEqual(["done", "done", "done"]);
  expect(new Set(all.map(({ trace_id }) => trace_id)).size).toBe(3);
});

it("lets grants, the open question and waiting messages die with the session, after its run", async () => {
  const hive = await createTestHive();
  await hive.say(write);
  await hive.engine.settled();
  await decide(hive, { scope: "session" });
  await hive.engine.settled();
  await hive.say('call file_write {"path":"b.txt","content":"hi"}');
  await hive.say("hello");
  await hive.engine.settled();
  expect(await grants(hive)).toHaveLength(1);
  expect(await inbox(hive)).toHaveLength(1);

  const notices: Notice["notice"][] = [];
  hive.engine.onNotice(({ notice }) => void notices.push(notice));
  const closed = reached(hive, "session", "closed");
  await close(hive);
  await closed;
  await hive.engine.settled();
  expect(await grants(hive)).toEqual([]);
  expect(await inbox(hive)).toEqual([]);
  expect((await approvals(hive)).map(({ state }) => state)).toEqual(["approved", "cancelled"]);
  expect((await runs(hive)).map(({ state }) => state)).toEqual(["done", "cancelled"]);
  expect(await sessions(hive)).toMatchObject([{ session_id: "s1", state: "closed" }]);
  expect(notices).toContainEqual({
    type: "session.closed",
    session_id: "s1",
    dropped_messages: 1,
  });
  const ends = (await journal(hive)).filter(({ state_after }) =>
    ["cancelled", "closed"].includes(state_after ?? ""),
  );
  expect(ends.map(({ machine }) => machine).filter((machine) => machine !== "approval")).toEqual([
    "tool_call",
    "run",
    "session",
  ]);
});

it("closes an idle session at once, and begins a new one at the same address", async () => {
  const hive = await createTestHive();
  await hive.say(write);
  await hive.engine.settled();
  await decide(hive, { scope: "session" });
  await hive.engine.settled();
  expect(await close(hive)).toMatchObject({ outcome: "handled", state: "closed" });

  await hive.say(write);
  await hive.engine.settled();
  const [first, second] = await sessions(hive);
  expect(first).toMatchObject({ session_id: "s1", state: "closed" });
  expect(second).toMatchObject({ key: first?.key, address: session, state: "open" });
  expect(second?.session_id).not.toBe("s1");
  expect(await statesOf(hive, "run")).toEqual(["awaiting_approval", "done"]);
});

it("does not show a new session what was said in the one before", async () => {
  const hive = await createTestHive();
  await hive.say("hello");
  await hive.engine.settled();
  await close(hive);
  await hive.say("hello");
  await hive.engine.settled();
  const [first, second] = await runs(hive);
  expect(second?.session_id).not.toBe(first?.session_id);
  expect(second?.usage).toEqual(first?.usage);
});

it("refuses a message beyond the queue's cap and says so", async () => {
  const hive = await createTestHive();
  await hive.say(write);
  await hive.engine.settled();
  for (let count = 0; count < 100; count++) await hive.say("hello");
  expect(await hive.say("one too many")).toMatchObject({
    outcome: "rejected",
    state: "running",
    reason:
      "session.queue_full: Too many messages wait in this session; try again when it has caught up.",
  });
  expect(await inbox(hive)).toHaveLength(100);
});

it("gives the only slot to whoever came first, and lets a run that waits for a person stand aside", async () => {
  const hive = await createTestHive({ maxConcurrentRuns: 1 });
  await hive.say(write, "one");
  await hive.say("hello", "two");
  await hive.say("hello", "three");
  expect(await statesOf(hive, "run")).toEqual(["idle", "idle", "thinking"]);
  await hive.engine.settled();
  expect(await statesOf(hive, "run")).toEqual(["awaiting_approval", "done", "done"]);
  await decide(hive);
  await hive.engine.settled();
  expect(await statesOf(hive, "run")).toEqual(["done", "done", "done"]);
});
