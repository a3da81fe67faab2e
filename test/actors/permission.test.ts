import { expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { chainFault } from "../../src/policy/audit-chain.ts";
import { grantTable } from "../../src/schema/rows/permission-rows.ts";
import { createTestHive } from "../support/hive.ts";
import { answer, approvals, audit, decide, pendingApproval, results } from "./hive-watch.ts";

/** Who allowed what, and what the audit says of it. */

const write = 'call file_write {"path":"a.txt","content":"hi"}';
const ask = 'call ask_user {"question":"Tea or coffee?","options":["tea","coffee"]}';

it("leaves a decision and an invocation in the audit for a call that a person allowed", async () => {
  const hive = await createTestHive();
  await hive.say(write);
  await hive.engine.settled();
  hive.clock.advance(5_000);
  await decide(hive);
  await hive.engine.settled();

  const [decision, invocation] = await audit(hive);
  const { run_id, trace_id } = decision ?? { run_id: "", trace_id: "" };
  const shared = {
    trace_id,
    run_id,
    task_id: `t${run_id.slice(1)}`,
    step_id: `${run_id}.1`,
    session: "s1",
    agent: "main",
    tool_call_id: "offline_1",
    tool: "file_write",
    input: { path: "a.txt", content: "hi" },
    requested_capabilities: ["fs.write:a.txt"],
    granted_capabilities: ["fs.write:a.txt"],
    approval_required: 1,
    approval_result: "approved",
    decided_by: "ann",
    end_at: 1_005_000,
    error: null,
  };
  expect(trace_id).not.toBe("");
  expect(decision).toMatchObject({
    ...shared,
    kind: "decision",
    status: "approved",
    start_at: 1_000_000,
  });
  expect(invocation).toMatchObject({
    ...shared,
    kind: "invocation",
    status: "done",
    start_at: 1_005_000,
  });
  expect(await audit(hive)).toHaveLength(2);
});

it("names the policy as who decided where nobody was asked, and keeps every row in one chain", async () => {
  const hive = await createTestHive({ files: createMemoryFiles({ "a.txt": "hi" }) });
  await hive.say(
    'call file_read {"path":"a.txt"}\ncall file_read {"path":".env"}\ncall file_read {"pat":1}',
  );
  await hive.engine.settled();
  const rows = await audit(hive);
  expect(
    rows.map(
      ({ kind, status, decided_by, approval_required, approval_result, granted_capabilities }) => ({
        kind,
        status,
        decided_by,
        approval_required,
        approval_result,
        granted_capabilities,
      }),
    ),
  ).toEqual([
    row("decision", "allowed", ["fs.read:a.txt"]),
    row("decision", "denied", []),
    row("decision", "invalid", []),
    row("invocation", "done", ["fs.read:a.txt"]),
  ]);
  expect(rows.map((one, index) => chainFault(one, rows[index - 1]))).toEqual(
    rows.map(() => undefined),
  );
});

const row = (kind: string, status: string, granted_capabilities: readonly string[]) => ({
  kind,
  status,
  decided_by: "policy",
  approval_required: 0,
  approval_result: null,
  granted_capabilities,
});

it("tells the model a person's reason for a refusal", async () => {
  const hive = await createTestHive();
  await hive.say(write);
  await hive.engine.settled();
  await decide(hive, { decision: "deny", scope: "session", reason: "Not in this folder." });
  await hive.engine.settled();
  expect(await results(hive)).toEqual([
    "permission.denied: A person did not allow this file_write call. Their reason: Not in this folder.",
  ]);
  expect(await audit(hive)).toMatchObject([
    {
      kind: "decision",
      status: "denied",
      approval_result: "denied for the session",
      granted_capabilities: [],
    },
  ]);
  expect(await approvals(hive)).toMatchObject([{ state: "denied", scope: "session" }]);
});

it("asks once for what is allowed for the session, and only for exactly that", async () => {
  const hive = await createTestHive();
  await hive.say(write);
  await hive.engine.settled();
  await decide(hive, { scope: "session" });
  await hive.engine.settled();
  await hive.say(`${write}\ncall file_write {"path":"b.txt","content":"hi"}`);
  await hive.engine.settled();
  expect((await pendingApproval(hive)).summary).toBe("Write 2 bytes to b.txt");
  expect(await approvals(hive)).toHaveLength(2);
  expect(await hive.engine.read.select(grantTable, { index: "key" })).toMatchObject([
    { owner: expect.stringContaining("session/"), capability: "fs.write:a.txt", given_by: "ann" },
  ]);
  const [, , first, second] = await audit(hive);
  expect(first).toMatchObject({ kind: "decision", status: "allowed", decided_by: "policy" });
  expect(second).toMatchObject({ kind: "invocation", status: "done", decided_by: "policy" });
});

it("takes the first answer and gives a second one its own reply", async () => {
  const hive = await createTestHive();
  await hive.say(write);
  await hive.engine.settled();
  const { address } = await pendingApproval(hive);
  await decide(hive, { decision: "deny" });
  const late = { type: "approval.decide", decision: "approve", scope: "once", by: "bob" };
  expect(await hive.engine.send(address, late, { origin: "tui" })).toMatchObject({
    outcome: "rejected",
    state: "denied",
    reason: expect.stringContaining("actor.ended"),
  });
});

it("gives the model the default when nobody decides or answers in time", async () => {
  const hive = await createTestHive();
  await hive.say(`${write}\n${ask}`);
  await hive.engine.settled();
  hive.clock.advance(86_400_000);
  await hive.engine.settled();
  expect(await results(hive)).toEqual([
    "permission.expired: Nobody decided in time, so the call was not allowed.",
    "Nobody answered in time.",
  ]);
  expect(await hive.lastRun()).toMatchObject({ state: "done" });
  expect(await audit(hive)).toMatchObject([
    { kind: "decision", status: "expired", decided_by: "deadline" },
    { kind: "decision", status: "expired", decided_by: "deadline" },
  ]);
});

it("refuses a yes to a question and an answer to a permission", async () => {
  const hive = await createTestHive();
  await hive.say(ask);
  await hive.engine.settled();
  expect(await decide(hive)).toMatchObject({
    outcome: "rejected",
    reason: "This question wants an answer, not a decision.",
  });
  await answer(hive, "tea");
  await hive.engine.settled();
  expect(await results(hive)).toEqual(["tea"]);

  await hive.say(write);
  await hive.engine.settled();
  expect(await answer(hive, "yes")).toMatchObject({
    outcome: "rejected",
    reason: "That is none of the answers that this question takes.",
  });
});
