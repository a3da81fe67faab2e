import type { ShownAudit } from "../../../src/schema/socket/protocol.ts";
import { dayStart } from "./model-of-a-day.ts";

/** A row of the audit; a younger one has a greater number. */
export function auditRow(n: number, given: Partial<ShownAudit> = {}): ShownAudit {
  const at = new Date(dayStart - 60_000 + n * 1000).toISOString();
  return {
    n,
    at,
    kind: "decision",
    trace_id: "t-cli",
    task_id: "t7",
    run_id: "r7",
    step_id: "r7.1",
    session: "s1",
    agent: "main",
    tool_call_id: `c${n}`,
    tool: "file_write",
    input: { path: "todo.txt", content: "buy milk" },
    input_hash: "be36626d49",
    requested_capabilities: ["fs.write:todo.txt"],
    granted_capabilities: [],
    approval_required: 1,
    approval_result: "denied",
    decided_by: "cli",
    start_at: at,
    end_at: at,
    status: "denied",
    reason: "Guarded; no grant covers fs.write:todo.txt; asks.",
    error: null,
    prev_hash: "b6c01e40d5",
    hash: "e68711d706",
    ...given,
  };
}
