import type { ToolCallContext } from "../../schema/contexts/tool-call-context.ts";
import type { AuditRow } from "../../schema/rows/audit-rows.ts";
import { auditEntry } from "../audit-entry.ts";
import type { AnyToolCallEvent } from "./tool-call-events.ts";
import type { CallStatus } from "./tool-call-result.ts";

/** The audit of one call: a row for what the policy decided, and one for each execution. A person's decision is written by the approval. */

const decisionWords = { run: "allowed", deny: "denied", invalid: "invalid" } as const;

/** The policy's word, where it was the last one: to ask a person is no decision. */
export function policyDecision(context: ToolCallContext, at: number): AuditRow[] {
  const { verdict } = context;
  if (verdict === null || verdict.verdict === "ask" || verdict.verdict === "question") return [];
  const status = decisionWords[verdict.verdict];
  const { reason } = verdict;
  return [
    decisionRow(context, { at, status, reason, error: status === "allowed" ? null : reason }),
  ];
}

/** The policy's second word, as the activity was about to start. */
export function refusalAtStart(context: ToolCallContext, at: number, error: string): AuditRow {
  return decisionRow(context, { at, status: "denied", reason: error, error });
}

type Decided = Pick<AuditRow, "at" | "status" | "reason" | "error">;

function decisionRow(context: ToolCallContext, decided: Decided): AuditRow {
  const { verdict } = context;
  return auditEntry(auditedCall(context), {
    ...decided,
    kind: "decision",
    start_at: context.started_at,
    approval_required: 0,
    approval_result: null,
    decided_by: "policy",
    granted_capabilities: decided.status === "allowed" ? (verdict?.granted ?? []) : [],
  });
}

type Invoked = { readonly at: number; readonly status: CallStatus; readonly error: string | null };

export function invocationRow(context: ToolCallContext, invoked: Invoked): AuditRow {
  const { verdict, allowed } = context;
  return auditEntry(auditedCall(context), {
    ...invoked,
    kind: "invocation",
    reason: null,
    start_at: context.started_at,
    approval_required: allowed === null ? 0 : 1,
    approval_result: allowed?.word ?? null,
    decided_by: allowed?.by ?? "policy",
    granted_capabilities: (allowed === null ? verdict?.granted : verdict?.requested) ?? [],
  });
}

function auditedCall(context: ToolCallContext) {
  const { call, verdict } = context;
  return {
    ...context,
    tool_call_id: call.id,
    tool: call.name,
    input: call.input,
    requested: verdict?.requested ?? [],
  };
}

/** Whether the call ends with an execution that no row tells of yet. */
export function endsExecution(context: ToolCallContext, event: AnyToolCallEvent): boolean {
  if (event.type === "activity.stopped") return event.ended !== "not_started";
  return context.is_outcome_unknown || event.type.endsWith(".actor.executeTool");
}
