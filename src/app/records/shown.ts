import type { ActorRow } from "../../engine/tables.ts";
import type { ActorStateRow } from "../../schema/shown/actor-view.ts";
import type { ShownAudit, ShownTask } from "../../schema/socket/protocol.ts";
import type { AuditRow } from "../../schema/rows/audit-rows.ts";
import type { Task } from "../../schema/rows/run-rows.ts";
import { iso, isoOrNull } from "../../text/iso-time.ts";

export { iso, isoOrNull };

/** Rows as the outside sees them: ISO times, short names. */

export function showActor(row: ActorRow): ActorStateRow {
  const { address, machine, state, status, parent, since, tags, trace } = row;
  return { address, kind: machine, state, status, parent, since: iso(since), tags, trace };
}

export function showTask(row: Task): ShownTask {
  return { ...row, created_at: iso(row.created_at), ended_at: isoOrNull(row.ended_at) };
}

export function showAudit(row: AuditRow): ShownAudit {
  return { ...row, at: iso(row.at), start_at: iso(row.start_at), end_at: iso(row.end_at) };
}
