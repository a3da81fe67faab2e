import { describe, expect, it } from "vitest";
import { verifyAudit } from "../../../src/app/records/verify-audit.ts";
import { approvals, audit, pendingApproval } from "../../actors/hive-watch.ts";
import { personAt } from "../../security/approval-desk.ts";
import { createTestHive } from "../../support/hive.ts";

/** Whoever tries to decide what has ended stands in the audit. */

const write = 'call file_write {"path":"a.txt","content":"x"}';

async function denied() {
  const hive = await createTestHive();
  await hive.say(write);
  await hive.engine.settled();
  const { approval_id: id, step_id: step } = await pendingApproval(hive);
  await personAt(hive).ask("approvals.decide", { id, decision: "deny" });
  await hive.engine.settled();
  const late = async () => (await audit(hive)).filter(({ status }) => status === "refused");
  return { hive, id, step, late };
}

describe("an answer to a question that has ended leaves a row in the audit", () => {
  it("with who gave it, what it was about, and why it does not count", async () => {
    const { hive, id, late } = await denied();
    hive.clock.advance(1_000);
    const person = personAt(hive, "tui");
    const { code, message } = await person.refused("approvals.decide", { id, decision: "approve" });
    const [{ run_id, step_id, session_id, trace_id, input, created_at } = {} as never] =
      await approvals(hive);
    expect(await late()).toEqual([
      expect.objectContaining({
        kind: "decision",
        at: hive.clock.now(),
        start_at: created_at,
        decided_by: "tui",
        reason: message,
        error: code,
        approval_required: 1,
        approval_result: null,
        granted_capabilities: [],
        tool: "file_write",
        tool_call_id: "offline_1",
        task_id: expect.stringMatching(/./),
        session: session_id,
        agent: "main",
        run_id,
        step_id,
        trace_id,
        input,
      }),
    ]);
    expect(code).toBe("approval.already_decided");
    expect(await verifyAudit(hive.engine.read)).toMatchObject({ ok: true });
  });

  it("also where somebody answers late who never might", async () => {
    const { hive, id, late } = await denied();
    const stranger = personAt(hive, "channel", "tg:4711");
    await stranger.refused("approvals.decide", { id, decision: "approve" });
    expect((await late()).map(({ error, decided_by }) => [error, decided_by])).toEqual([
      ["approval.not_approver", "tg:4711"],
    ]);
  });

  it("also for the calls of a step, where other ones wait than were shown, or none", async () => {
    const { hive, step, late } = await denied();
    const [{ run_id, session_id, trace_id } = {} as never] = await approvals(hive);
    const said = { step, binding: "b-of-before", decision: "approve" } as const;
    const { message } = await personAt(hive).refused("approvals.decide_step", said);
    expect(await late()).toEqual([
      expect.objectContaining({
        decided_by: "cli",
        error: "approval.changed",
        reason: message,
        session: session_id,
        step_id: step,
        run_id,
        trace_id,
      }),
    ]);
  });

  it("but for a flood of them: those are counted in one a minute", async () => {
    const { hive, id, late } = await denied();
    const person = personAt(hive);
    for (let n = 0; n < 100; n += 1)
      await person.refused("approvals.decide", { id, decision: "approve" });
    expect(await late()).toHaveLength(60);
    hive.clock.advance(60_000);
    await hive.engine.settled();
    expect((await late()).at(-1)).toMatchObject({
      decided_by: "statehive",
      input: { refusals: 40 },
      reason: "40 more answers to questions that had ended were refused within a minute.",
    });
  });

  it("and none where nothing is called so", async () => {
    const { hive, late } = await denied();
    await personAt(hive).refused("approvals.decide", { id: "a999", decision: "approve" });
    expect(await late()).toEqual([]);
  });
});
