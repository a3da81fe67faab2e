import { expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { journalTable } from "../../src/engine/tables.ts";
import { approvalTable } from "../../src/schema/rows/permission-rows.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";

async function pendingApproval(hive: TestHive) {
  const query = { index: "by_state", equals: ["pending"] };
  const [approval] = await hive.engine.read.select(approvalTable, query);
  if (approval === undefined) throw new Error("no approval is pending");
  return approval;
}

it("answers a greeting and says that it is the offline model", async () => {
  const hive = await createTestHive();
  expect(await hive.say("hello")).toMatchObject({ outcome: "handled", state: "running" });
  await hive.engine.settled();
  expect(await hive.lastRun()).toMatchObject({
    state: "done",
    reply: expect.stringContaining("offline model"),
  });
});

it("writes a file only after a person allowed it", async () => {
  const files = createMemoryFiles();
  const hive = await createTestHive({ files });
  await hive.say('call file_write {"path":"a.txt","content":"hi"}');
  await hive.engine.settled();
  await expect(files.stat("a.txt")).rejects.toMatchObject({ code: "file.not_found" });

  const approval = await pendingApproval(hive);
  const decision = { type: "approval.decide", decision: "approve", scope: "once", by: "tester" };
  expect(await hive.engine.send(approval.address, decision, { origin: "cli" })).toMatchObject({
    outcome: "handled",
    state: "approved",
  });
  await hive.engine.settled();
  expect(await files.stat("a.txt")).toMatchObject({ kind: "file", size: 2 });
  expect(await hive.lastRun()).toMatchObject({ state: "done" });
});

it("keeps all that a run does under the trace of its message, whoever decides in between", async () => {
  const hive = await createTestHive();
  await hive.say('call file_write {"path":"a.txt","content":"hi"}');
  await hive.engine.settled();
  const approval = await pendingApproval(hive);
  const decision = { type: "approval.decide", decision: "approve", scope: "once", by: "tester" };
  await hive.engine.send(approval.address, decision, { origin: "cli", trace: "another" });
  await hive.engine.settled();
  const journal = await hive.engine.read.select(journalTable, { index: "key" });
  expect(new Set(journal.map((row) => row.trace))).toEqual(new Set([approval.trace_id]));
});
