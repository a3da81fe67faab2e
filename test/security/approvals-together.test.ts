import { describe, expect, it } from "vitest";
import { approvals, pendingApproval, results } from "../actors/hive-watch.ts";
import { chatsWith } from "../support/chats.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";
import { chatOf, countedFiles, personAt } from "./approval-desk.ts";

/** Nobody says yes to more, or to other calls, than they were shown. */

const write = (path: string) => `call file_write {"path":"${path}","content":"hi"}`;

async function asked(hive: TestHive, text: string, to?: string) {
  await hive.say(text, to);
  await hive.engine.settled();
}

describe("several calls that wait together", () => {
  const three = ["a", "b", "c"].map((name) => write(`${name}.txt`)).join("\n");
  const step = "approvals.step";
  const decide = "approvals.decide_step";

  it("A07: a yes that is typed into the chat decides none of them, and is told which wait", async () => {
    const { files, writes } = countedFiles();
    const hive = await createTestHive({ files });
    const say = chatsWith(hive);
    await say(`${write("a.txt")}\n${write("b.txt")}`);
    await hive.engine.settled();
    const { accepted } = await say("yes");
    await hive.engine.settled();
    expect(accepted.queued).toBe(true);
    expect(accepted.waiting_for.map(({ summary }) => summary)).toEqual([
      "Write 2 bytes to a.txt",
      "Write 2 bytes to b.txt",
    ]);
    expect((await approvals(hive)).map(({ state }) => state)).toEqual(["pending", "pending"]);
    expect(writes).toEqual([]);
  });

  it("A07: are allowed as the whole that was shown", async () => {
    const { files, writes } = countedFiles();
    const hive = await createTestHive({ files });
    await asked(hive, three);
    const { step_id } = await pendingApproval(hive);
    const person = personAt(hive);
    const shown = await person.ask(step, { step: step_id });
    expect(shown.approvals.map(({ input }) => input["path"])).toEqual(["a.txt", "b.txt", "c.txt"]);
    const allow = { step: step_id, binding: shown.binding, decision: "approve" } as const;
    const { decided, failed } = await person.ask(decide, allow);
    expect([decided.length, failed.length]).toEqual([3, 0]);
    await hive.engine.settled();
    expect(writes.toSorted()).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(await person.refused(decide, allow)).toMatchObject({
      code: "approval.changed",
      message: `What was shown of ${step_id} is not what waits: nothing waits any more.`,
    });
    expect((await person.refused(step, { step: "r999.1" })).code).toBe("approval.not_found");
  });

  it("A07: are not decided once one of them was, and the refusal says what waits now", async () => {
    const { files, writes } = countedFiles();
    const hive = await createTestHive({ files });
    await asked(hive, three);
    const [first, ...rest] = await approvals(hive);
    const person = personAt(hive);
    const { binding } = await person.ask(step, { step: first?.step_id ?? "" });
    await person.ask("approvals.decide", { id: first?.approval_id ?? "", decision: "deny" });
    const allow = { step: first?.step_id ?? "", binding, decision: "approve" } as const;
    const waiting = rest.map(({ approval_id }) => approval_id);
    expect(await person.refused(decide, allow)).toMatchObject({
      code: "approval.changed",
      message: `What was shown of ${first?.step_id} is not what waits: now wait: ${waiting.join(", ")}.`,
      details: { approvals: waiting },
    });
    expect(writes).toEqual([]);
  });

  it("A07: are decided for those who may, one by one told of", async () => {
    const hive = await createTestHive({
      connectors: () => [{ id: "tg_main", type: "telegram", approvers: ["1001"] }],
    });
    await asked(hive, three, chatOf("tg_main", "1002"));
    const { step_id } = await pendingApproval(hive);
    const stranger = personAt(hive, "channel", "tg_main:1002");
    const { binding } = await stranger.ask(step, { step: step_id });
    const { decided, failed } = await stranger.ask(decide, {
      step: step_id,
      binding,
      decision: "approve",
    });
    expect(decided).toEqual([]);
    expect(failed.map(({ error }) => error.code)).toEqual([
      "approval.not_approver",
      "approval.not_approver",
      "approval.not_approver",
    ]);
  });

  it("A07: are denied with a reason, but not allowed, where they are too long to be read at once", async () => {
    const long = JSON.stringify({ path: "a.txt", content: "x".repeat(20_000) });
    const hive = await createTestHive();
    await asked(hive, `call file_write ${long}\n${write("b.txt")}`);
    const { step_id } = await pendingApproval(hive);
    const person = personAt(hive);
    const { binding, too_long, approvals: shown } = await person.ask(step, { step: step_id });
    expect([too_long, shown.length]).toEqual([true, 2]);
    expect(
      await person.refused(decide, { step: step_id, binding, decision: "approve" }),
    ).toMatchObject({
      code: "approval.too_long",
      hint: "decide them one by one, or deny them together",
    });
    await person.ask(decide, { step: step_id, binding, decision: "deny", reason: "Too much." });
    await hive.engine.settled();
    const told =
      "permission.denied: A person did not allow this file_write call. Their reason: Too much.";
    expect(await results(hive)).toEqual([told, told]);
  });
});
