import type { DecisionScope } from "../../schema/permission-rows.ts";
import type { Results } from "../../schema/protocol.ts";
import { shown } from "../output/shown.ts";
import { moment } from "../output/times.ts";

/** What really holds, which may be less than what was asked for. */
export function decisionText(
  { id, state, scope, until }: Results["approvals.decide"],
  wanted: DecisionScope,
): string {
  const it = `${shown(id)} is ${shown(state)}`;
  if (scope === null || scope === "once")
    return wanted === "once" ? it : `${it}, once: nothing narrow enough could be said of others`;
  const end = until === null ? "" : `, until ${moment(until)} UTC`;
  return `${it} for the ${scope}${end}`;
}
