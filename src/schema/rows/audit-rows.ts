import type { Json } from "../json.ts";
import type { Table } from "./table.ts";
import type { Capability } from "../tool.ts";

/** Rows of the audit trail. Times are milliseconds. */

export const auditKinds = ["decision", "invocation", "poke"] as const;

/** One row per decision, per invocation and per event that a person sent by hand. `hash` covers the row and `prev_hash`: a changed or missing row breaks the chain. */
export type AuditRow = {
  n: number;
  at: number;
  kind: (typeof auditKinds)[number];
  trace_id: string;
  task_id: string;
  run_id: string;
  step_id: string;
  session: string;
  agent: string;
  tool_call_id: string;
  tool: string;
  /** Secrets replaced. */
  input: Json;
  input_hash: string;
  requested_capabilities: readonly Capability[];
  granted_capabilities: readonly Capability[];
  approval_required: 0 | 1;
  approval_result: string | null;
  decided_by: string | null;
  start_at: number;
  end_at: number;
  status: string;
  /** Why it was decided so, in words; null in rows from before reasons were kept. */
  reason: string | null;
  error: Json;
  prev_hash: string;
  hash: string;
};

export const auditTable: Table<AuditRow> = {
  name: "audit",
  columns: {
    n: "integer",
    at: "integer",
    kind: "text",
    trace_id: "text",
    task_id: "text",
    run_id: "text",
    step_id: "text",
    session: "text",
    agent: "text",
    tool_call_id: "text",
    tool: "text",
    input: "json",
    input_hash: "text",
    requested_capabilities: "json",
    granted_capabilities: "json",
    approval_required: "integer",
    approval_result: "text",
    decided_by: "text",
    start_at: "integer",
    end_at: "integer",
    status: "text",
    reason: "text",
    error: "json",
    prev_hash: "text",
    hash: "text",
  },
  key: ["n"],
  indexes: {
    by_run: { equals: ["run_id"], order: ["n"] },
    by_trace: { equals: ["trace_id"], order: ["n"] },
  },
};

/** The newest row of the audit chain: rows that are missing at its end are found by it. */
export type AuditHead = { name: "audit"; n: number; hash: string };

export const auditHeadTable: Table<AuditHead> = {
  name: "audit_head",
  columns: { name: "text", n: "integer", hash: "text" },
  key: ["name"],
  indexes: {},
};
