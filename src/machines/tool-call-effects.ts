import type { ToolCallContext } from "../schema/contexts.ts";
import type { Delivered } from "../schema/event.ts";
import { auditTable, messageTable, type AuditRow } from "../schema/rows.ts";
import type { ApprovalInput } from "./approval-events.ts";
import { auditEntry } from "./audit-entry.ts";
import {
  ask,
  type EffectAction,
  effects,
  putRow,
  sendTo,
  spawn,
  toParent,
} from "./effect-actions.ts";
import type { CallStatus, ToolCallEvent } from "./tool-call-events.ts";
import { resultOf, wasExecuted } from "./tool-call-result.ts";

type Event = Delivered<ToolCallEvent>;

export const askPolicy = effects<ToolCallContext, Event>(({ context }) => [
  ask("judgeCall", {
    agent_id: context.agent_id,
    session_address: context.session_address,
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
    return [
      spawn(approvalChild(context), "approval", question),
      toParent({ type: "call.changed", call_id: context.call.id, state }),
    ];
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
  context.approval === null
    ? []
    : [toParent({ type: "call.changed", call_id: context.call.id, state: "executing" })],
);

/** The result for the model, the audit row, the word to the run: one transaction. */
export const concludeCall = effects<ToolCallContext, Event, { status: CallStatus }>(
  ({ context, event }, { status }) => {
    const { call } = context;
    const result = resultOf(context, event, status);
    return [
      putRow(messageTable, {
        position: event.$.seq * 1000,
        session_id: context.session_id,
        run_id: context.run_id,
        role: "tool",
        content: [{ type: "tool_result", tool_call_id: call.id, ...result }],
        at: event.$.at,
      }),
      ...auditOf(context, event, { status, error: result.is_error ? result.output : null }),
      toParent({ type: "call.changed", call_id: call.id, state: "finished" }),
    ];
  },
);

type Concluded = { readonly status: CallStatus; readonly error: string | null };

/** A person's decision has its own row, written by the approval. */
function auditOf(context: ToolCallContext, event: Event, concluded: Concluded): EffectAction[] {
  const executed = wasExecuted(context, event, concluded.status);
  if (!executed && event.type !== "verdict.given") return [];
  return [putRow(auditTable, auditRow(context, event, { ...concluded, executed }))];
}

function auditRow(
  context: ToolCallContext,
  event: Event,
  said: Concluded & { executed: boolean },
): AuditRow {
  const { verdict, call } = context;
  const byPerson = context.decided_by !== null;
  const call_ = { ...context, tool_call_id: call.id, tool: call.name, input: call.input };
  const row = auditEntry(
    { ...call_, requested: verdict?.requested ?? [] },
    {
      kind: said.executed ? "invocation" : "decision",
      at: event.$.at,
      start_at: context.started_at,
      approval_required: byPerson ? 1 : 0,
      approval_result: byPerson ? "approved" : null,
      decided_by: context.decided_by ?? "policy",
      granted_capabilities: said.executed ? (verdict?.requested ?? []) : [],
      status: said.status,
      error: said.error,
    },
  );
  return row;
}
