import { toolCallMachine } from "../../src/machines/tool-call/tool-call.machine.ts";
import { noTrust } from "../../src/schema/contexts/trust.ts";
import type { ToolCallContext } from "../../src/schema/contexts/tool-call-context.ts";
import type { EventData } from "../../src/schema/events/event.ts";
import {
  type Effect,
  type Laws,
  rowsOf,
  self,
  sentTo,
  type Taken,
  type Walk,
} from "./kernel-walk.ts";

/** Everything that can happen to a tool call, and what must hold of it. */

export type CallLedger = {
  /** Executions begun, and those that turned out never to have begun. */
  readonly executions: number;
  readonly unbegun: number;
  readonly invocations: number;
  readonly policyDecisions: number;
  readonly results: number;
  readonly finished: number;
  /** What the run was told last. */
  readonly reported: string;
};

const verdict = (word: string): EventData => ({
  type: "verdict.given",
  verdict: word,
  risk: "guarded",
  reason: "Because.",
  summary: "Write 2 bytes to a.txt",
  requested: ["fs.write:a.txt"],
  granted: word === "run" ? ["fs.write:a.txt"] : [],
  proposed_grants: [],
  question: "Which?",
  options: [],
  brings: noTrust,
  binding: "b",
});

const error = (code: string) => ({ code, message: "It did not work.", retryable: false });
const output = { output: "Created a.txt (2 bytes).", is_error: false };

function decisions(context: ToolCallContext): EventData[] {
  const id = context.approval?.id ?? "none";
  const decided = (state: string, answer: string, approval_id = id): EventData => ({
    type: "approval.decided",
    approval_id,
    state,
    answer,
    decided_by: "ann",
  });
  return [
    decided("approved", ""),
    decided("denied", "retry"),
    decided("expired", "skip"),
    decided("cancelled", "the call was cancelled"),
    decided("answered", "retry"),
    decided("answered", "skip"),
    decided("answered", "done"),
    decided("approved", "", "a-foreign"),
    decided("answered", "retry", "a-foreign"),
  ];
}

const mostExecutions = 2;

function moves(world: Parameters<Walk<CallLedger>["moves"]>[0]): EventData[] {
  const context = world.actor.snapshot.context as ToolCallContext;
  const failed = (id: string): EventData => ({
    type: "actor.failed",
    address: `${self}/approval/${id}`,
    machine: "approval",
    error: error("internal"),
  });
  const possible = [
    ...["run", "ask", "question", "deny", "invalid"].map(verdict),
    ...decisions(context),
    failed(context.approval?.id ?? "a-none"),
    failed("a-foreign"),
    { type: "call.cancel" },
  ];
  return world.ledger.executions < mostExecutions
    ? possible
    : possible.filter((event) => event["answer"] !== "retry");
}

export const toolCallWalk: Walk<CallLedger> = {
  machine: toolCallMachine,
  input: {
    session_id: "s1",
    session_address: "session/k",
    agent_id: "main",
    task_id: "t1",
    run_id: "r1",
    trace_id: "trace",
    step_id: "r1.1",
    call: { id: "c1", name: "file_write", input: { path: "a.txt", content: "hi" } },
    approval_timeout_ms: 86_400_000,
    trust: noTrust,
  },
  ledger: {
    executions: 0,
    unbegun: 0,
    invocations: 0,
    policyDecisions: 0,
    results: 0,
    finished: 0,
    reported: "executing",
  },
  moves,
  settlements: {
    executeTool: {
      settled: [
        { output },
        { error: error("tool.failed") },
        { error: error("permission.denied") },
        { error: error("activity.outcome_unknown") },
      ],
      stopped: [
        { ended: "not_started" },
        { ended: "completed", output },
        { ended: "completed", error: error("tool.failed") },
        { ended: "aborted" },
        { ended: "unknown" },
      ],
    },
  },
  count,
  key: ({ verdict: given, approval, allowed, is_outcome_unknown }: ToolCallContext) => [
    given?.verdict,
    approval !== null,
    allowed?.word,
    is_outcome_unknown,
  ],
  laws: toolCallLaws(),
};

function count(
  { event, effects }: Omit<Taken<CallLedger>, "ledger">,
  ledger: CallLedger,
): CallLedger {
  const audit = rowsOf(effects, "audit");
  const ofKind = (kind: string) => audit.filter((row) => row["kind"] === kind).length;
  const reports = sentTo(effects, "parent", "call.changed").map(({ state }) => state as string);
  return {
    executions: ledger.executions + effects.filter(isExecution).length,
    unbegun: ledger.unbegun + (wasNotBegun(event) ? 1 : 0),
    invocations: ledger.invocations + ofKind("invocation"),
    policyDecisions: ledger.policyDecisions + ofKind("decision"),
    results: ledger.results + rowsOf(effects, "messages").length,
    finished: ledger.finished + reports.filter((state) => state === "finished").length,
    reported: reports.at(-1) ?? ledger.reported,
  };
}

const isExecution = ({ kind }: Effect): boolean => kind === "activity";

function wasNotBegun({ type, ended, error: thrown }: EventData): boolean {
  if (type === "activity.stopped") return ended === "not_started";
  return type.startsWith("xstate.error") && JSON.stringify(thrown).includes("permission.denied");
}

function mayExecute({ event, before }: Taken<CallLedger>): boolean {
  if (event.type === "verdict.given") return event["verdict"] === "run";
  const context = before?.actor.snapshot.context as ToolCallContext | undefined;
  if (event.type !== "approval.decided" || event["approval_id"] !== context?.approval?.id)
    return false;
  return (
    event["state"] === "approved" || (event["state"] === "answered" && event["answer"] === "retry")
  );
}

const waitsFor: Readonly<Record<string, readonly string[]>> = {
  checking: ["executing"],
  executing: ["executing"],
  cancelling: ["executing"],
  awaiting_approval: ["awaiting_approval", "awaiting_user"],
  outcome_unknown: ["outcome_unknown"],
};

function toolCallLaws(): Laws<CallLedger> {
  return {
    "no tool executes without a verdict of run or a person's word": (taken) =>
      !taken.effects.some(isExecution) || mayExecute(taken),
    "a call that ends writes exactly one result": ({ isFinal, ledger }) =>
      ledger.results === (isFinal ? 1 : 0),
    "a call that ends tells its run exactly once": ({ isFinal, ledger }) =>
      ledger.finished === (isFinal ? 1 : 0),
    "the run knows whether the call works or waits, and for whom": ({ isFinal, state, ledger }) =>
      isFinal || waitsFor[state]?.includes(ledger.reported) === true,
    "every execution leaves exactly one invocation in the audit": ({ isFinal, ledger }) =>
      !isFinal || ledger.invocations === ledger.executions - ledger.unbegun,
    "every last word of the policy leaves a decision in the audit": ({
      isFinal,
      context,
      event,
      ledger,
    }) => {
      const word =
        (context["verdict"] as { verdict?: string } | null | undefined)?.verdict ?? "none";
      const wasRefused = isFinal && event.type.startsWith("xstate.error") && wasNotBegun(event);
      const expected = ["run", "deny", "invalid"].includes(word) ? 1 : 0;
      return ledger.policyDecisions === expected + (wasRefused ? 1 : 0);
    },
    "whoever waits for a person has asked": ({ state, effects, before }) =>
      !["awaiting_approval", "outcome_unknown"].includes(state) ||
      effects.some(({ kind }) => kind === "spawn") ||
      before?.ledger.reported !== "executing",
    "a call that works has work under way": ({ state, actor }) =>
      !["executing", "cancelling"].includes(state) || Object.keys(actor.activities).length === 1,
    "a tool that was told to stop has a deadline": ({ state, actor }) =>
      state !== "cancelling" || Object.keys(actor.timers).length === 1,
    "what nobody knows the outcome of is never called done or cancelled without a word": ({
      isFinal,
      context,
      effects,
      event,
    }) =>
      !isFinal ||
      context["is_outcome_unknown"] !== true ||
      event.type === "activity.stopped" ||
      event["answer"] === "done" ||
      JSON.stringify(rowsOf(effects, "messages")).includes("activity.outcome_unknown"),
  };
}
