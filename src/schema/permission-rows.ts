import type { JsonObject } from "./json.ts";
import type { Table } from "./table.ts";
import type { Capability, RiskClass } from "./tool.ts";

/** Rows of what people are asked and have allowed. Times are milliseconds. */

export type ApprovalKind = "call" | "question" | "outcome";

export type ApprovalState =
  | "pending"
  | "approved"
  | "denied"
  | "answered"
  | "expired"
  | "cancelled";

/** One question to a human. `binding` is the hash of exactly what is shown: tool, input, agent, call. */
export type Approval = {
  approval_id: string;
  address: string;
  kind: ApprovalKind;
  state: ApprovalState;
  tool: string;
  summary: string;
  risk: RiskClass;
  input: JsonObject;
  binding: string;
  reason: string;
  requested: readonly Capability[];
  proposed_grants: readonly string[];
  options: readonly string[];
  default_answer: string;
  session_id: string;
  run_id: string;
  agent_id: string;
  trace_id: string;
  created_at: number;
  expires_at: number;
  decided_at: number | null;
  decided_by: string | null;
  scope: "once" | "session" | null;
  answer: string | null;
};

export const approvalTable: Table<Approval> = {
  name: "approvals",
  columns: {
    approval_id: "text",
    address: "text",
    kind: "text",
    state: "text",
    tool: "text",
    summary: "text",
    risk: "text",
    input: "json",
    binding: "text",
    reason: "text",
    requested: "json",
    proposed_grants: "json",
    options: "json",
    default_answer: "text",
    session_id: "text",
    run_id: "text",
    agent_id: "text",
    trace_id: "text",
    created_at: "integer",
    expires_at: "integer",
    decided_at: "integer",
    decided_by: "text",
    scope: "text",
    answer: "text",
  },
  key: ["approval_id"],
  indexes: {
    by_state: { equals: ["state"], order: ["created_at"] },
    by_session: { equals: ["session_id", "state"], order: ["created_at"] },
  },
};

/** What one owner may do unasked, for as long as it lives. */
export type Grant = {
  grant_id: string;
  owner: string;
  tool: string;
  capability: string;
  approval_id: string;
  given_by: string;
  given_at: number;
};

export const grantTable: Table<Grant> = {
  name: "grants",
  columns: {
    grant_id: "text",
    owner: "text",
    tool: "text",
    capability: "text",
    approval_id: "text",
    given_by: "text",
    given_at: "integer",
  },
  key: ["grant_id"],
  indexes: { by_owner: { equals: ["owner"], order: ["given_at"] } },
  owner: "owner",
};
