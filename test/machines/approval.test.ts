import { describe, expect, it } from "vitest";
import { approvalMachine } from "../../src/machines/approval/approval.machine.ts";
import type { EventData } from "../../src/schema/events/event.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import { forgotten, type Laws, rowsOf, sentTo, type Walk, walk } from "./kernel-walk.ts";

/** Everything that can happen to a question. */

type Ledger = {
  readonly told: number;
  readonly decisions: number;
  readonly grants: number;
};
const approver = "tg_main:1001";

type Kind = "call" | "question" | "outcome";

function question(kind: Kind, proposals: readonly string[]) {
  return {
    session_id: "s1",
    session_address: "session/k",
    agent_id: "main",
    task_id: "t1",
    run_id: "r1",
    trace_id: "trace",
    approval_id: "a1",
    step_id: "r1.1",
    kind,
    tool_call_id: "c1",
    tool: "file_write",
    input: { path: "a.txt" },
    binding: "b",
    summary: "Write 2 bytes to a.txt",
    reason: "Guarded; no grant covers fs.write:a.txt; asks.",
    risk: "guarded",
    requested: ["fs.write:a.txt"],
    proposed_grants: proposals,
    options: kind === "outcome" ? ["retry", "skip", "done"] : [],
    default_answer: "skip",
    approvers: [approver],
    timeout_ms: 86_400_000,
  };
}

const decide = (decision: string, scope: string, more: JsonObject = {}): EventData => ({
  type: "approval.decide",
  decision,
  scope,
  by: "ann",
  ...more,
});

const answer = (value: string, more: JsonObject = {}): EventData => ({
  type: "approval.answer",
  value,
  by: "ann",
  ...more,
});

const foreign = { by: "tg_main:10011" };
const forOther = { binding: "b" };

const moves: readonly EventData[] = [
  decide("approve", "once"),
  decide("approve", "session"),
  decide("deny", "once"),
  decide("deny", "session"),
  answer("retry"),
  answer("whatever"),
  ...[foreign, forOther].flatMap((wrong) => [
    decide("approve", "session", wrong),
    answer("retry", wrong),
  ]),
  decide("deny", "once", { by: approver }),
  { type: "approval.cancel", reason: "the call was cancelled" },
];

const laws: Laws<Ledger> = {
  "a question that waits has its deadline armed": ({ isFinal, actor }) =>
    isFinal || Object.keys(actor.timers).length === 1,
  "every question tells its parent exactly once, as it ends": ({ isFinal, ledger }) =>
    ledger.told === (isFinal ? 1 : 0),
  "every question leaves exactly one decision in the audit": ({ isFinal, ledger }) =>
    ledger.decisions === (isFinal ? 1 : 0),
  "an answer of somebody else's, a late one and one to another question change nothing": ({
    event,
    at,
    state,
    context,
  }) => {
    const isAnswer = event.type === "approval.decide" || event.type === "approval.answer";
    const isLate = at >= (context["timeout_ms"] as number);
    const isWrong = event["by"] === foreign.by || event["binding"] === "b" || isLate;
    return !isAnswer || !isWrong || state === "pending";
  },
  "what changes nothing is refused, and stands in the audit once": ({ effects }) =>
    effects.filter(({ kind }) => kind === "refuse").length ===
    rowsOf(effects, "audit").filter(isRefusal).length,
  "the row says how it ended": ({ isFinal, effects, state }) =>
    !isFinal || rowsOf(effects, "approvals", "patch")[0]?.["state"] === state,
  "only a decision about more than one call gives a grant, of its own effect": ({
    event,
    effects,
    ledger,
    context,
  }) =>
    ledger.grants === 0 ||
    (event.type === "approval.decide" &&
      event["scope"] === "session" &&
      context["kind"] === "call" &&
      rowsOf(effects, "grants").every(
        ({ effect }) => (effect === "deny") === (event["decision"] === "deny"),
      )),
  "a permission or refusal is never an answer to a question": ({ state, context }) =>
    context["kind"] === "call" ? state !== "answered" : state !== "approved" && state !== "denied",
  "an outcome takes only the answers that it offers": ({ state, event, context }) =>
    context["kind"] !== "outcome" || state !== "answered" || event["value"] === "retry",
};

const isRefusal = (row: JsonObject) => row["status"] === "refused";

function plan(kind: Kind, proposals: readonly string[] = ["fs.write:a.txt"]): Walk<Ledger> {
  return {
    machine: approvalMachine,
    input: question(kind, proposals),
    ledger: { told: 0, decisions: 0, grants: 0 },
    moves: () => moves,
    settlements: {},
    originOf: ({ by }) => (by === foreign.by || by === approver ? "channel" : "cli"),
    count: ({ effects }, { told, decisions, grants }) => ({
      told: told + sentTo(effects, "parent", "approval.decided").length,
      decisions: decisions + rowsOf(effects, "audit").filter((row) => !isRefusal(row)).length,
      grants: grants + rowsOf(effects, "grants").length,
    }),
    key: () => 0,
    laws,
  };
}

const kinds: readonly Kind[] = ["call", "question", "outcome"];
const overdue = (kind: Kind): Walk<Ledger> => ({
  ...plan(kind),
  input: { ...question(kind, []), timeout_ms: 500 },
});
const walks = kinds.flatMap((kind) => [walk(plan(kind)), walk(overdue(kind))]);

it("reaches every state and takes every transition, over the kinds of question", () => {
  const missed = (pick: (walked: (typeof walks)[number]) => readonly string[]) =>
    pick(walks[0] as never).filter((name) => walks.every((walked) => pick(walked).includes(name)));
  expect(missed(({ unreached }) => unreached)).toEqual([]);
  expect(missed(({ untaken }) => untaken)).toEqual([]);
});

it.each(kinds)("keeps every law on every path of a %s", (kind) => {
  expect(walk(plan(kind)).breaches).toEqual({});
  expect(walk(overdue(kind)).breaches).toEqual({});
});

it("records a permission for the session as once where no narrow grant can be proposed", () => {
  const records = decisionsOn({ ...plan("call", []) });
  expect(records).toEqual([
    { state: "approved", scope: "once", approval_result: "approved" },
    { state: "denied", scope: "once", approval_result: "denied" },
    { state: "denied", scope: "session", approval_result: "denied for the session" },
  ]);
});

it("records whether a permission or a refusal was for the session", () => {
  const records = decisionsOn(plan("call"));
  expect(records).toEqual([
    { state: "approved", scope: "once", approval_result: "approved" },
    { state: "approved", scope: "session", approval_result: "approved for the session" },
    { state: "denied", scope: "once", approval_result: "denied" },
    { state: "denied", scope: "session", approval_result: "denied for the session" },
  ]);
});

/** The different records of people's yes and no. */
function decisionsOn(walked: Walk<Ledger>) {
  const seen = new Set<string>();
  walk({
    ...walked,
    laws: {
      records: ({ event, effects, isFinal }) => {
        if (event.type !== "approval.decide" || !isFinal) return true;
        const { state, scope } = rowsOf(effects, "approvals", "patch")[0] ?? {};
        const { approval_result } = rowsOf(effects, "audit")[0] ?? {};
        seen.add(JSON.stringify({ state, scope, approval_result }));
        return true;
      },
    },
  });
  return [...seen].toSorted().map((text) => JSON.parse(text) as unknown);
}

describe("a planted fault breaks the law it offends:", () => {
  it("a conclusion that somebody forgot", () => {
    const machine = approvalMachine.provide({ actions: { concludeApproval: forgotten } });
    const { breaches } = walk({ ...plan("call"), machine });
    expect(Object.keys(breaches)).toEqual([
      "every question tells its parent exactly once, as it ends",
      "every question leaves exactly one decision in the audit",
      "the row says how it ended",
    ]);
  });

  it.each(["isForeign", "isForOther", "isLate"])("a guard %s that looks away", (guard) => {
    const machine = approvalMachine.provide({ guards: { [guard]: () => false } });
    const { breaches } = walk({ ...(guard === "isLate" ? overdue : plan)("call"), machine });
    expect(Object.keys(breaches)).toContain(
      "an answer of somebody else's, a late one and one to another question change nothing",
    );
  });

  it("a guard that takes a yes for an answer to any question", () => {
    const machine = approvalMachine.provide({ guards: { isApproved: () => true } });
    const { breaches } = walk({ ...plan("question"), machine });
    expect(Object.keys(breaches)).toContain(
      "a permission or refusal is never an answer to a question",
    );
  });

  it("a guard that takes any words for an outcome", () => {
    const machine = approvalMachine.provide({ guards: { fitsQuestion: () => true } });
    const { breaches } = walk({ ...plan("outcome"), machine });
    expect(Object.keys(breaches)).toContain("an outcome takes only the answers that it offers");
  });
});
