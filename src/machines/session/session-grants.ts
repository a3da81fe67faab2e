import { auditTable } from "../../schema/rows/audit-rows.ts";
import type { SessionContext } from "../../schema/contexts/session-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import { grantTable } from "../../schema/rows/permission-rows.ts";
import { unaskedEntry } from "../audit-entry.ts";
import { ask, effects, putRow, removeRow } from "../effect-actions.ts";
import type { SessionEvent } from "./session-events.ts";

/** How grants of a session end before what owns them: at their time, or because a person takes them back. */

type Event = Delivered<SessionEvent>;

/** The timer deletes the row, so that a clock that is set back revives nothing. */
export const awaitExpiry = effects<SessionContext, Event>(({ event }) => {
  if (event.type !== "grant.given") return [];
  const { grant_id, expires_at, $ } = event;
  const expired = { type: "grant.expired", grant_id };
  const delayMs = expires_at - $.at;
  return [{ type: "wakeLater", params: { id: `grant.${grant_id}`, delayMs, event: expired } }];
});

export const removeExpiredGrant = effects<SessionContext, Event>(({ event }) =>
  event.type === "grant.expired" ? [removeRow(grantTable, event.grant_id)] : [],
);

export const findGrant = effects<SessionContext, Event>(({ context, event }) => {
  if (event.type !== "grant.revoke") return [];
  const { grant_id, by } = event;
  return [ask("findGrant", { grant_id, by, session_address: context.address })];
});

export const revokeGrant = effects<SessionContext, Event>(({ context, event }) => {
  if (event.type !== "grant.found") return [];
  const { grant_id, by, capability, scope, $ } = event;
  const revoked = {
    ...event,
    session_id: context.session_id,
    agent_id: context.agent_id,
    task_id: event.run_id.replace("r", "t"),
    tool_call_id: "",
    input: { grant_id, capability, scope },
    requested: [capability],
  };
  const reason = `${by} took back ${grant_id}: ${capability} for the ${scope}.`;
  const row = unaskedEntry("decision", revoked, { at: $.at, by, status: "revoked", reason });
  return [removeRow(grantTable, grant_id), putRow(auditTable, row)];
});
