import { hashOf } from "../policy/canonical-json.ts";
import type { JsonObject } from "../schema/json.ts";
import type { AuditRow } from "../schema/rows/audit-rows.ts";

/** What every kind of audit row says of the call it is about. */
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

/** Of what the owner says of a file, or a stranger does at the door: no session, run or call has a part in it. */
export const ofNobody = {
  session_id: "",
  agent_id: "",
  task_id: "",
  run_id: "",
  step_id: "",
  tool_call_id: "",
  tool: "",
  requested: [],
};

export type UnaskedWord = {
  readonly at: number;
  readonly by: string;
  readonly status: string;
  readonly reason: string | null;
};

/** What a person decides, or sends by hand, though no question was open. */
export function unaskedEntry(
  kind: "decision" | "poke",
  about: AuditedCall,
  { at, by, status, reason }: UnaskedWord,
): AuditRow {
  return auditEntry(about, {
    kind,
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
