import type { Engine } from "../../engine/engine.ts";
import { actorTable } from "../../engine/tables.ts";
import { auditEntry, ofNobody, unaskedEntry } from "../../machines/audit-entry.ts";
import type { Clock } from "../../ports/clock.ts";
import type { WriteParams } from "../../schema/effect.ts";
import type { AgentError } from "../../schema/errors.ts";
import type { JsonObject } from "../../schema/json.ts";
import { type AuditRow, auditTable } from "../../schema/rows/audit-rows.ts";
import type { Approval } from "../../schema/rows/permission-rows.ts";
import { runTable, stepTable } from "../../schema/rows/run-rows.ts";
import { placeOf } from "./poke-audit.ts";
import { RefusalRows } from "./refusal-rows.ts";

/** An answer to a question that has ended reaches no actor that could note it: it leaves a row in the audit here; of very many
 *  some are counted only. What a question that waits refuses is its own to note. */
export type LateAnswers = {
  /** @returns what it is refused with */
  refuse(approval: Approval, by: string, error: AgentError): Promise<AgentError>;
  /** The same for the calls of a step that are not those that wait now. */
  refuseStep(step: string, by: string, error: AgentError): Promise<AgentError>;
};

export function auditLateAnswers(engine: Engine, clock: Clock): LateAnswers {
  const write = (row: AuditRow) => engine.write([put(row)]);
  const rows = new RefusalRows({
    clock,
    sumUp: (refusals) => write(sumOf(refusals, clock.now())),
  });
  const note = async (error: AgentError, row: () => Promise<AuditRow>) => {
    const hasRow = rows.hasRoom();
    rows.count(hasRow);
    if (hasRow) await write(await row());
    return error;
  };
  return {
    refuse: (approval, by, error) =>
      note(error, async () => {
        const actor = await engine.read.get(actorTable, approval.address);
        return auditEntry(
          { ...placeOf(actor), ...approval },
          { ...wordOf(by, error), at: clock.now(), start_at: approval.created_at },
        );
      }),
    refuseStep: (step, by, error) =>
      note(error, async () => {
        const at = clock.now();
        const about = { ...ofNobody, ...(await placeOfStep(engine, step)), input: {} };
        return auditEntry(about, { ...wordOf(by, error), at, start_at: at });
      }),
  };
}

function wordOf(by: string, { code, message }: AgentError) {
  return {
    kind: "decision",
    approval_required: 1,
    approval_result: null,
    decided_by: by,
    granted_capabilities: [],
    status: "refused",
    reason: message,
    error: code,
  } as const;
}

async function placeOfStep({ read }: Engine, step_id: string) {
  const step = await read.get(stepTable, step_id);
  const run = await read.get(runTable, step?.run_id ?? "");
  if (run === undefined) return { step_id, trace_id: "" };
  const { run_id, task_id, session_id, agent_id, trace_id } = run;
  return { step_id, run_id, task_id, session_id, agent_id, trace_id };
}

/** Of clients of every name. */
function sumOf(refusals: number, at: number): AuditRow {
  const reason = `${refusals} more answers to questions that had ended were refused within a minute.`;
  const about = { ...ofNobody, trace_id: "", input: { refusals } };
  return unaskedEntry("decision", about, { at, by: "statehive", status: "refused", reason });
}

function put(row: AuditRow): WriteParams {
  return { table: auditTable.name, op: "put", row: row as unknown as JsonObject };
}
