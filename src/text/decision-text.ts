import type { DecisionScope } from "../schema/rows/permission-rows.ts";
import type { Results } from "../schema/socket/protocol.ts";
import { shown } from "./shown.ts";
import { moment } from "./times.ts";

/** What really holds, which may be less than what was asked for. */
export function decisionText(
  { id, state, scope, until }: Results["approvals.decide"],
  wanted: DecisionScope,
): string {
  const it = `${shown(id)} is ${shown(state)}`;
  if (scope === null || scope === "once")
    return wanted === "once" ? it : `${it}, once: nothing narrow enough could be said of others`;
  return `${it}${reachText({ scope, until })}`;
}

/** How far it reaches beyond the one call, as it follows what was decided; nothing for the one call. */
export function reachText({
  scope,
  until,
}: Pick<Results["approvals.decide"], "scope" | "until">): string {
  if (scope === null || scope === "once") return "";
  const end = until === null ? "" : `, until ${moment(until)} UTC`;
  return ` for the ${scope}${end}`;
}
