import type { OpenCallState } from "../../schema/contexts/run-context.ts";
import type { ToolCallContext } from "../../schema/contexts/tool-call-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import { auditTable, type AuditRow } from "../../schema/rows/audit-rows.ts";
import type { ToolOutput } from "../../schema/tool.ts";
import { messageTable } from "../../schema/rows/session-rows.ts";
import { positionOf } from "../../schema/position.ts";
import {
  ask,
  type EffectAction,
  effects,
  putRow,
  sendTo,
  spawn,
  toParent,
} from "../effect-actions.ts";
import { endsExecution, invocationRow, policyDecision, refusalAtStart } from "./tool-call-audit.ts";
import type { AnyToolCallEvent, CallEnd, ToolCallEvent } from "./tool-call-events.ts";
import { originOfResult, ownOrigin, userOrigin, withOrigins } from "../../policy/origins.ts";
import { judgedCall } from "./tool-call-judged.ts";
import { callQuestion, outcomeQuestion } from "./tool-call-question.ts";
import { type CallStatus, outputOf, resultOf, statusOf } from "./tool-call-result.ts";

type Event = Delivered<ToolCallEvent>;

export const askPolicy = effects<ToolCallContext, Event>(({ context }) => [
  ask("judgeCall", judgedCall(context)),
]);

/** The question becomes an actor of its own, bound to exactly this call. */
export const askPerson = effects<ToolCallContext, Event, { about: "call" | "outcome" }>(
  ({ context }, { about }) => {
    const { verdict } = context;
    if (verdict === null) return [];
    const questionAbout = about === "outcome" ? outcomeQuestion : callQuestion;
    const question = questionAbout({ ...context, verdict });
    const waitsFor = question.kind === "call" ? "awaiting_approval" : "awaiting_user";
    const state = about === "outcome" ? "outcome_unknown" : waitsFor;
    return [spawn(approvalChild(context), "approval", question), reportState(context, state)];
  },
);

function approvalChild(context: ToolCallContext): string {
  return `approval/${context.approval?.id ?? ""}`;
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

type Ending = { readonly event: AnyToolCallEvent; readonly status: CallStatus };

/** What its result adds to what the run knows; a call that nothing was executed of adds nothing. */
function reportEnd({ call, verdict }: ToolCallContext, { event, status }: Ending): EffectAction {
  const end = { type: "call.changed", call_id: call.id, state: "finished" };
  const isNothing = status === "denied" || verdict === null;
  if (isNothing) return toParent(end);
  return toParent({ ...end, brings: withOrigins(verdict.brings, outputOf(event)?.brings ?? {}) });
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
    const { session_id, run_id } = context;
    const status = statusOf(context, event, end);
    const result = resultOf(context, event, status);
    const error = result.is_error ? result.output : null;
    return [
      putRow(messageTable, {
        position: positionOf(event.$.seq),
        session_id,
        run_id,
        role: "tool",
        content: [resultBlock(context, result, status)],
        at: event.$.at,
      }),
      ...endAudit(context, event, { at: event.$.at, status, error }).map(writeAudit),
      reportEnd(context, { event, status }),
    ];
  },
);

function resultBlock(context: ToolCallContext, result: ToolOutput, status: CallStatus) {
  const { output, is_error } = result;
  const origin = originOf(context, status);
  return { type: "tool_result", tool_call_id: context.call.id, output, is_error, origin } as const;
}

function originOf({ call, verdict, session_address }: ToolCallContext, status: CallStatus): string {
  if (status === "denied" || verdict === null) return ownOrigin;
  if (verdict.verdict === "question") return userOrigin(session_address);
  return originOfResult(call.name, verdict.brings);
}

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
