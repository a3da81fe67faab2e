import type { ActorRow } from "../../engine/tables.ts";
import type { ActorStateRow } from "../../schema/actor-view.ts";
import type { ShownApproval, ShownAudit, ShownTask } from "../../schema/protocol.ts";
import type { AuditRow } from "../../schema/audit-rows.ts";
import type { Approval } from "../../schema/permission-rows.ts";
import type { Task } from "../../schema/run-rows.ts";

/** Rows as the outside sees them: ISO times, short names. */

export function iso(at: number): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

export function showActor(row: ActorRow): ActorStateRow {
  const { address, machine, state, status, parent, since, tags, trace } = row;
  return { address, kind: machine, state, status, parent, since: iso(since), tags, trace };
}

export function showApproval(row: Approval): ShownApproval {
  const { approval_id, created_at, expires_at, decided_at, until, ...rest } = row;
  return {
    id: approval_id,
    ...rest,
    created_at: iso(created_at),
    expires_at: iso(expires_at),
    decided_at: isoOrNull(decided_at),
    until: isoOrNull(until),
  };
}

export function showTask(row: Task): ShownTask {
  return { ...row, created_at: iso(row.created_at), ended_at: isoOrNull(row.ended_at) };
}

export function showAudit(row: AuditRow): ShownAudit {
  return { ...row, at: iso(row.at), start_at: iso(row.start_at), end_at: iso(row.end_at) };
}
