import type { OpenCallState, ToolCallContext } from "../schema/contexts.ts";
import type { Delivered } from "../schema/event.ts";
import { auditTable, type AuditRow } from "../schema/audit-rows.ts";
import { messageTable } from "../schema/session-rows.ts";
import type { ApprovalInput } from "./approval-events.ts";
import {
  ask,
  type EffectAction,
  effects,
  putRow,
  sendTo,
  spawn,
  toParent,
} from "./effect-actions.ts";
import { endsExecution, invocationRow, policyDecision, refusalAtStart } from "./tool-call-audit.ts";
import type { AnyToolCallEvent, CallEnd, ToolCallEvent } from "./tool-call-events.ts";
import { type CallStatus, resultOf, statusOf } from "./tool-call-result.ts";

type Event = Delivered<ToolCallEvent>;

export const askPolicy = effects<ToolCallContext, Event>(({ context }) => [
  ask("judgeCall", {
    agent_id: context.agent_id,
    session_address: context.session_address,
    run_id: context.run_id,
    call_id: context.call.id,
    tool: context.call.name,
    input: context.call.input,
  }),
]);

/** The question becomes an actor of its own, bound to exactly this call. */
export const askPerson = effects<ToolCallContext, Event, { about: "call" | "outcome" }>(
  ({ context }, { about }) => {
    const question = about === "outcome" ? outcomeQuestion(context) : callQuestion(context);
    const waitsFor = question.kind === "call" ? "awaiting_approval" : "awaiting_user";
    const state = about === "outcome" ? "outcome_unknown" : waitsFor;
    return [spawn(approvalChild(context), "approval", question), reportState(context, state)];
  },
);

function approvalChild(context: ToolCallContext): string {
  return `approval/${context.approval?.id ?? ""}`;
}

function callQuestion(context: ToolCallContext): ApprovalInput {
  const verdict = context.verdict;
  const isQuestion = verdict?.verdict === "question";
  return {
    ...sharedQuestion(context),
    kind: isQuestion ? "question" : "call",
    summary: (isQuestion ? verdict.question : verdict?.summary) ?? context.call.name,
    reason: verdict?.reason ?? "",
    options: isQuestion ? verdict.options : ["approve", "deny"],
    default_answer: isQuestion ? "Nobody answered in time." : "deny",
  };
}

function outcomeQuestion(context: ToolCallContext): ApprovalInput {
  return {
    ...sharedQuestion(context),
    kind: "outcome",
    summary: context.verdict?.summary ?? context.call.name,
    reason:
      "It was interrupted; whether it took effect is not known. Look, then say: retry, skip or done.",
    proposed_grants: [],
    options: ["retry", "skip", "done"],
    default_answer: "skip",
  };
}

function sharedQuestion(context: ToolCallContext) {
  const {
    session_id,
    session_address,
    agent_id,
    task_id,
    run_id,
    trace_id,
    step_id,
    call,
    verdict,
  } = context;
  return {
    session_id,
    session_address,
    agent_id,
    task_id,
    run_id,
    trace_id,
    step_id,
    approval_id: context.approval?.id ?? "",
    tool_call_id: call.id,
    tool: call.name,
    input: call.input,
    binding: verdict?.binding ?? "",
    risk: verdict?.risk ?? "unsafe",
    requested: verdict?.requested ?? [],
    proposed_grants: verdict?.proposed_grants ?? [],
    timeout_ms: context.approval_timeout_ms,
  } as const;
}

export const cancelApproval = effects<ToolCallContext, Event>(({ context }) => [
  sendTo(`./${approvalChild(context)}`, {
    type: "approval.cancel",
    reason: "the call was cancelled",
  }),
]);

/** A run takes a new call for one that executes; it hears of it only after it waited for somebody. */
export const reportResumed = effects<ToolCallContext, Event>(({ context }) =>
  context.approval === null ? [] : [reportState(context, "executing")],
);

function reportState(context: ToolCallContext, state: OpenCallState): EffectAction {
  return toParent({ type: "call.changed", call_id: context.call.id, state });
}

export const recordVerdict = effects<ToolCallContext, Event>(({ context, event }) =>
  policyDecision(context, event.$.at).map(writeAudit),
);

/** The execution that nobody knows the outcome of has a row of its own before the next one begins. */
export const recordLostExecution = effects<ToolCallContext, Event>(({ context, event }) => [
  writeAudit(invocationRow(context, { at: event.$.at, status: "outcome_unknown", error: null })),
]);

/** The result for the model, the audit row, the word to the run: one transaction. */
export const concludeCall = effects<ToolCallContext, Event, { end: CallEnd }>(
  ({ context, event }, { end }) => {
    const { call, session_id, run_id } = context;
    const status = statusOf(context, event, end);
    const result = resultOf(context, event, status);
    const error = result.is_error ? result.output : null;
    return [
      putRow(messageTable, {
        position: event.$.seq * 1000,
        session_id,
        run_id,
        role: "tool",
        content: [{ type: "tool_result", tool_call_id: call.id, ...result }],
        at: event.$.at,
      }),
      ...endAudit(context, event, { at: event.$.at, status, error }).map(writeAudit),
      reportState(context, "finished"),
    ];
  },
);

type Ended = { readonly at: number; readonly status: CallStatus; readonly error: string | null };

function endAudit(context: ToolCallContext, event: AnyToolCallEvent, ended: Ended): AuditRow[] {
  if (!endsExecution(context, event)) return [];
  return ended.status === "denied"
    ? [refusalAtStart(context, ended.at, ended.error ?? "")]
    : [invocationRow(context, ended)];
}

function writeAudit(row: AuditRow): EffectAction {
  return putRow(auditTable, row);
}
