import { hashOf } from "../policy/canonical-json.ts";
import type { JsonObject } from "../schema/json.ts";
import type { AuditRow } from "../schema/audit-rows.ts";

/** What both kinds of audit row say of the call they are about. */
export type AuditedCall = {
  readonly session_id: string;
  readonly agent_id: string;
  readonly task_id: string;
  readonly run_id: string;
  readonly trace_id: string;
  readonly step_id: string;
  readonly tool_call_id: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly requested: readonly string[];
};

type Written =
  | "kind"
  | "at"
  | "start_at"
  | "approval_required"
  | "approval_result"
  | "decided_by"
  | "granted_capabilities"
  | "status"
  | "reason"
  | "error";

/** A row but for its place in the chain, which it gets as it is written. */
export function auditEntry(call: AuditedCall, said: Pick<AuditRow, Written>): AuditRow {
  return {
    ...said,
    n: 0,
    trace_id: call.trace_id,
    task_id: call.task_id,
    run_id: call.run_id,
    step_id: call.step_id,
    session: call.session_id,
    agent: call.agent_id,
    tool_call_id: call.tool_call_id,
    tool: call.tool,
    input: call.input,
    input_hash: hashOf(call.input),
    requested_capabilities: call.requested,
    end_at: said.at,
    prev_hash: "",
    hash: "",
  };
}

export type UnaskedWord = {
  readonly at: number;
  readonly by: string;
  readonly status: string;
  readonly reason: string;
};

/** What a person decides though no question was open. */
export function unaskedDecision(about: AuditedCall, word: UnaskedWord): AuditRow {
  const { at, by, status, reason } = word;
  return auditEntry(about, {
    kind: "decision",
    at,
    start_at: at,
    approval_required: 0,
    approval_result: null,
    decided_by: by,
    granted_capabilities: [],
    status,
    reason,
    error: null,
  });
}
