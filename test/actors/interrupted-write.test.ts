import { expect, it } from "vitest";
import { createMemoryStore, type MemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import type { Files } from "../../src/ports/files.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";
import {
  answer,
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

/** A write that the service died in: it is never repeated without a person's word. */

const write = 'call file_write {"path":"a.txt","content":"hi"}';

async function hiveInWrite(files: Files) {
  const store = createMemoryStore({ tables: allTables, strict: true });
  const hive = await createTestHive({ store, files: slowFiles(files).files });
  await hive.say(write);
  await hive.engine.settled();
  const executing = reached(hive, "tool_call", "executing");
  await decide(hive);
  await executing;
  return { hive, store };
}

/** Kills a service whose write stands still, and starts another over its rows. */
async function killedInWrite(files: Files = createMemoryFiles()): Promise<TestHive> {
  const { hive, store } = await hiveInWrite(files);
  return restarted(hive, store, files);
}

async function restarted(hive: TestHive, store: MemoryStore, files: Files): Promise<TestHive> {
  const next = await createTestHive({ store: store.crash(), files, clock: hive.clock });
  await next.engine.settled();
  return next;
}

it("asks a person what became of it, of exactly the call that was permitted", async () => {
  const hive = await killedInWrite();
  expect(await statesOf(hive, "tool_call")).toEqual(["outcome_unknown"]);
  expect(await statesOf(hive, "run")).toEqual(["awaiting_user"]);
  const [permission, outcome] = await approvals(hive);
  expect(outcome).toMatchObject({
    kind: "outcome",
    state: "pending",
    options: ["retry", "skip", "done"],
    default_answer: "skip",
    input: permission?.input,
  });
  expect(outcome?.binding).not.toBe(permission?.binding);
});

it("writes again when a person says retry", async () => {
  const files = createMemoryFiles();
  const hive = await killedInWrite(files);
  await answer(hive, "retry");
  await hive.engine.settled();
  expect(await files.stat("a.txt")).toMatchObject({ size: 2 });
  expect(await results(hive)).toEqual(["Created a.txt (2 bytes)."]);
  expect(await audit(hive)).toMatchObject([
    { kind: "decision", status: "approved" },
    { kind: "decision", status: "answered", approval_result: "answered: retry" },
    { kind: "invocation", status: "outcome_unknown", approval_result: "approved" },
    { kind: "invocation", status: "done", approval_result: "retry", decided_by: "ann" },
  ]);
});

it("leaves it as it is when a person says skip, and tells the model that nobody knows", async () => {
  const files = createMemoryFiles();
  const hive = await killedInWrite(files);
  await answer(hive, "skip");
  await hive.engine.settled();
  await expect(files.stat("a.txt")).rejects.toMatchObject({ code: "file.not_found" });
  expect(await results(hive)).toEqual([
    "activity.outcome_unknown: The call was interrupted. Whether it took effect is not known; it was not tried again.",
  ]);
  expect(await statesOf(hive, "tool_call")).toEqual(["failed"]);
});

it("takes a person's word that it was done", async () => {
  const hive = await killedInWrite();
  await answer(hive, "done");
  await hive.engine.settled();
  expect(await results(hive)).toEqual([
    "It was interrupted, but a person saw that it took effect.",
  ]);
  expect((await audit(hive)).at(-1)).toMatchObject({ kind: "invocation", status: "done" });
});

it("skips it when nobody answers in time", async () => {
  const hive = await killedInWrite();
  hive.clock.advance(86_400_000);
  await hive.engine.settled();
  expect(await statesOf(hive, "tool_call")).toEqual(["failed"]);
  expect(await runs(hive)).toMatchObject([{ state: "done" }]);
});

it("asks too when it was being cancelled as the service died, and ends the run with the answer", async () => {
  const files = createMemoryFiles();
  const { hive: first, store } = await hiveInWrite(files);
  const cancelling = reached(first, "tool_call", "cancelling");
  await tell(first, "run", "run.cancel");
  await cancelling;
  const hive = await restarted(first, store, files);
  expect(await statesOf(hive, "run")).toEqual(["cancelling"]);
  expect(await pendingApproval(hive)).toMatchObject({ kind: "outcome" });
  await answer(hive, "skip");
  await hive.engine.settled();
  expect(await runs(hive)).toMatchObject([{ state: "cancelled" }]);
});

it("takes none but the offered answers", async () => {
  const hive = await killedInWrite();
  expect(await answer(hive, "maybe")).toMatchObject({ outcome: "rejected", state: "pending" });
  expect(await decide(hive)).toMatchObject({ outcome: "rejected", state: "pending" });
  expect(await pendingApproval(hive)).toMatchObject({ kind: "outcome" });
});

it("keeps a permission that waits under the same id over a restart", async () => {
  const files = createMemoryFiles();
  const store = createMemoryStore({ tables: allTables, strict: true });
  const first = await createTestHive({ store, files });
  await first.say(write);
  await first.engine.settled();
  const before = await pendingApproval(first);
  const hive = await restarted(first, store, files);
  expect(await pendingApproval(hive)).toEqual(before);
  await decide(hive);
  await hive.engine.settled();
  expect(await files.stat("a.txt")).toMatchObject({ size: 2 });
});

it("thinks again by itself when the service died while the model thought", async () => {
  const store = createMemoryStore({ tables: allTables, strict: true });
  const files = createMemoryFiles();
  const first = await createTestHive({ store, files });
  const thinking = reached(first, "run", "thinking");
  await first.say("hello");
  await thinking;
  const hive = await restarted(first, store, files);
  expect(await runs(hive)).toMatchObject([{ state: "done" }]);
});
