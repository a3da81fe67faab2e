import { expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { slotTable, stepTable } from "../../src/schema/rows/run-rows.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";
import {
  approvals,
  audit,
  decide,
  pendingApproval,
  reached,
  results,
  runs,
  slowFiles,
  statesOf,
  tell,
} from "./hive-watch.ts";

/** How a run stops, whatever it was doing. */

const write = 'call file_write {"path":"a.txt","content":"hi"}';
const ask = 'call ask_user {"question":"Tea or coffee?"}';

const slots = (hive: TestHive) => hive.engine.read.select(slotTable, { index: "key" });

async function expectAllClosed(hive: TestHive): Promise<void> {
  const steps = await hive.engine.read.select(stepTable, { index: "key" });
  expect(steps.filter(({ ended_at }) => ended_at === null)).toEqual([]);
  expect((await approvals(hive)).filter(({ state }) => state === "pending")).toEqual([]);
  expect(await slots(hive)).toEqual([]);
}

it("stops a run whose model is still thinking", async () => {
  const hive = await createTestHive();
  const thinking = reached(hive, "run", "thinking");
  await hive.say("hello");
  await thinking;
  expect(await tell(hive, "run", "run.cancel")).toMatchObject({ state: "cancelling" });
  await hive.engine.settled();
  expect(await runs(hive)).toMatchObject([{ state: "cancelled", reply: null, error: null }]);
  expect(await hive.engine.read.select(stepTable, { index: "key" })).toMatchObject([
    { action: null, ended_at: 1_000_000 },
  ]);
  await expectAllClosed(hive);
});

it("voids a permission and a question that wait, and answers the next message properly", async () => {
  const hive = await createTestHive();
  await hive.say(`${write}\n${ask}`);
  await hive.engine.settled();
  expect(await statesOf(hive, "run")).toEqual(["awaiting_user"]);
  expect(await slots(hive)).toEqual([]);
  await tell(hive, "run", "run.cancel");
  await hive.engine.settled();
  expect(await runs(hive)).toMatchObject([{ state: "cancelled", reply: null }]);
  expect(await approvals(hive)).toMatchObject([{ state: "cancelled" }, { state: "cancelled" }]);
  expect(await results(hive)).toEqual([
    "run.cancelled: The call was cancelled before it began.",
    "run.cancelled: The call was cancelled before it began.",
  ]);
  await expectAllClosed(hive);

  await hive.say("hello");
  await hive.engine.settled();
  expect(await hive.lastRun()).toMatchObject({ state: "done" });
});

it("stops one call and lets the run go on with the others", async () => {
  const hive = await createTestHive();
  await hive.say(`${write}\n${ask}`);
  await hive.engine.settled();
  const question = (await approvals(hive)).find(({ kind }) => kind === "question");
  const call = question?.address.split("/approval/")[0] ?? "";
  await hive.engine.send(call, { type: "call.cancel" }, { origin: "tui", poke: true });
  await hive.engine.settled();
  expect(await statesOf(hive, "run")).toEqual(["awaiting_approval"]);
  await decide(hive);
  await hive.engine.settled();
  expect(await hive.lastRun()).toMatchObject({ state: "done" });
});

async function stuckWrite() {
  const slow = slowFiles(createMemoryFiles());
  const hive = await createTestHive({ files: slow.files });
  await hive.say(write);
  await hive.engine.settled();
  const executing = reached(hive, "tool_call", "executing");
  await decide(hive);
  await executing;
  const cancelling = reached(hive, "tool_call", "cancelling");
  await tell(hive, "run", "run.cancel");
  await cancelling;
  return { hive, goOn: slow.goOn };
}

it("takes a tool's own word when it ends in time, though the run was cancelled", async () => {
  const { hive, goOn } = await stuckWrite();
  goOn();
  await hive.engine.settled();
  expect(await results(hive)).toEqual(["Created a.txt (2 bytes)."]);
  expect(await runs(hive)).toMatchObject([{ state: "cancelled" }]);
  await expectAllClosed(hive);
});

it("asks a person about a tool that does not stop, and holds no slot meanwhile", async () => {
  const { hive, goOn } = await stuckWrite();
  const asked = reached(hive, "tool_call", "outcome_unknown");
  hive.clock.advance(10_000);
  await asked;
  expect(await statesOf(hive, "run")).toEqual(["cancelling"]);
  expect(await slots(hive)).toEqual([]);
  expect(await pendingApproval(hive)).toMatchObject({
    kind: "outcome",
    options: ["retry", "skip", "done"],
  });
  goOn();
  await hive.engine.settled();
  expect(await results(hive)).toEqual(["Created a.txt (2 bytes)."]);
  expect(await approvals(hive)).toMatchObject([{ state: "approved" }, { state: "cancelled" }]);
  expect((await audit(hive)).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    "decision approved",
    "invocation done",
    "decision cancelled",
  ]);
  await expectAllClosed(hive);
});

it("leaves a tool behind that does not stop when it is told a second time", async () => {
  const { hive, goOn } = await stuckWrite();
  const ended = reached(hive, "run", "cancelled");
  await tell(hive, "run", "run.cancel");
  await ended;
  expect(await results(hive)).toEqual([
    "activity.outcome_unknown: The call was interrupted. Whether it took effect is not known; it was not tried again.",
  ]);
  expect((await audit(hive)).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    "decision approved",
    "invocation outcome_unknown",
  ]);
  await expectAllClosed(hive);
  goOn();
  await hive.engine.settled();
});

it("closes the question about a tool when the run is told a second time", async () => {
  const { hive, goOn } = await stuckWrite();
  const asked = reached(hive, "tool_call", "outcome_unknown");
  hive.clock.advance(10_000);
  await asked;
  const ended = reached(hive, "run", "cancelled");
  await tell(hive, "run", "run.cancel");
  await ended;
  await expectAllClosed(hive);
  goOn();
  await hive.engine.settled();
});

it("counts only the time in which it works towards its deadline", async () => {
  const slow = slowFiles(createMemoryFiles());
  const hive = await createTestHive({ files: slow.files, agentLimits: { run_timeout_ms: 60_000 } });
  await hive.say(write);
  await hive.engine.settled();
  hive.clock.advance(18_000_000);
  await hive.engine.settled();
  const executing = reached(hive, "tool_call", "executing");
  await decide(hive);
  await executing;
  hive.clock.advance(59_000);
  await hive.say("hello");
  expect(await statesOf(hive, "run")).toEqual(["awaiting_tool"]);
  const cancelling = reached(hive, "run", "cancelling");
  hive.clock.advance(1_000);
  await cancelling;
  slow.goOn();
  await hive.engine.settled();
  const reply =
    "I could not go on: The run worked for longer than its limit of 1 min. (run.deadline)";
  expect(await runs(hive)).toMatchObject([
    { state: "failed", reply, error: { code: "run.deadline" } },
    { state: "done" },
  ]);
  await expectAllClosed(hive);
});
