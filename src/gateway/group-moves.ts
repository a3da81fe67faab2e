import type { InboundUpdate } from "../schema/inbound.ts";
import { type Desk, keepUpdate, traceOf } from "./desk.ts";
import type { Refusal } from "./judged.ts";
import { personName } from "../policy/person-name.ts";

/** A group that goes on under another number is another group: its owner lets it in, or nobody does. */

export type GroupMove = { readonly group: string; readonly to: string };

const prefix = "group_moved: ";

export function noteMove(desk: Desk, update: InboundUpdate, { group, to }: GroupMove): void {
  const { connector_id } = desk.settings.doorway;
  const reason = `${prefix}${to}` as const;
  keepUpdate(desk, update, reason);
  const trace = traceOf(connector_id, update);
  desk.refusals.push({ by: personName(connector_id, group), reason, count: 1, trace });
}

/** @returns undefined for what was refused for other reasons */
export function groupMoveIn({ by, reason }: Refusal): GroupMove | undefined {
  if (!reason.startsWith(prefix)) return undefined;
  const group = by.slice(by.indexOf(":") + 1);
  return { group, to: reason.slice(prefix.length) };
}

export function groupMoveWord({ group, to }: GroupMove, connectorId: string): string {
  return `The group ${group} of ${connectorId} has the number ${to} now. To be heard there, put ${to} in the place of ${group} under \`groups\`, then \`statehive config reload\`.`;
}
