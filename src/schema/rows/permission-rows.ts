import type { JsonObject } from "../json.ts";
import type { Table } from "./table.ts";
import type { Capability, RiskClass } from "../tool.ts";

/** Rows of what people are asked and have allowed. Times are milliseconds. */

export type ApprovalKind = "call" | "question" | "outcome" | "budget";

/** How far a person's decision about a call reaches: this call, or all like it until its owner ends. */
export const decisionScopes = ["once", "step", "run", "task", "session"] as const;
export type DecisionScope = (typeof decisionScopes)[number];
/** With an owner to end with. */
export const grantScopes = ["step", "run", "task", "session"] as const;
export type GrantScope = (typeof grantScopes)[number];

export const approvalStates = [
  "pending",
  "approved",
  "denied",
  "answered",
  "expired",
  "cancelled",
] as const;
export type ApprovalState = (typeof approvalStates)[number];

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
  /** What else a grant of these would be bound to, in words: "exactly this command"; empty: nothing. */
  terms: string;
  /** Who may decide besides the owner at the local surfaces: `tg_main:1001`. */
  approvers: readonly string[];
  options: readonly string[];
  default_answer: string;
  session_id: string;
  run_id: string;
  step_id: string;
  agent_id: string;
  trace_id: string;
  created_at: number;
  expires_at: number;
  decided_at: number | null;
  decided_by: string | null;
  scope: DecisionScope | null;
  /** When the grant that was given with it ends, if before its owner. */
  until: number | null;
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
    terms: "text",
    approvers: "json",
    options: "json",
    default_answer: "text",
    session_id: "text",
    run_id: "text",
    step_id: "text",
    agent_id: "text",
    trace_id: "text",
    created_at: "integer",
    expires_at: "integer",
    decided_at: "integer",
    decided_by: "text",
    scope: "text",
    until: "integer",
    answer: "text",
  },
  key: ["approval_id"],
  indexes: {
    by_state: { equals: ["state"], order: ["created_at"] },
    by_session: { equals: ["session_id", "state"], order: ["created_at"] },
    by_step: { equals: ["step_id", "state"], order: ["created_at"] },
    by_created: { equals: [], order: ["created_at"] },
  },
};

type Owned = {
  readonly session_address: string;
  readonly task_id: string;
  readonly run_id: string;
  readonly step_id: string;
};

/** The addresses that grants for this work can end with. */
export function grantOwners(work: Owned): { readonly [scope in GrantScope]: string } {
  const { session_address: session, task_id, run_id, step_id } = work;
  const run = `${session}/run/${run_id}`;
  return { session, task: `${session}/task/${task_id}`, run, step: `${run}/step/${step_id}` };
}

/** What a person has decided about all calls like one, for as long as its owner lives: they run, or are refused, unasked. */
export type Grant = {
  grant_id: string;
  /** Everything in a session that its grants can reach is below this address. */
  session_address: string;
  /** The address that it ends with; a step's and a task's are below their session's, though no actors. */
  owner: string;
  scope: GrantScope;
  effect: "allow" | "deny";
  tool: string;
  capability: string;
  /** Covers only calls with the same pin: a hash of what else was shown, such as a script's content; null: all. */
  pin: string | null;
  terms: string;
  /** Untrusted origins that the person saw; a later one makes the call asked about again. */
  accepted: readonly string[];
  approval_id: string;
  given_by: string;
  given_at: number;
  /** Ends then, if its owner still lives. */
  expires_at: number | null;
};

export const grantTable: Table<Grant> = {
  name: "grants",
  columns: {
    grant_id: "text",
    session_address: "text",
    owner: "text",
    scope: "text",
    effect: "text",
    tool: "text",
    capability: "text",
    pin: "text",
    terms: "text",
    accepted: "json",
    approval_id: "text",
    given_by: "text",
    given_at: "integer",
    expires_at: "integer",
  },
  key: ["grant_id"],
  indexes: {
    by_owner: { equals: ["owner"], order: ["given_at"] },
    by_place: { equals: [], order: ["owner"] },
    by_pattern: { equals: ["session_address", "tool", "capability"], order: ["given_at"] },
    by_given: { equals: [], order: ["given_at"] },
  },
  owner: "owner",
};
