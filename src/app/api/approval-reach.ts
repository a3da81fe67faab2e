import { directoryPattern } from "../../policy/pattern.ts";
import { AgentError } from "../../schema/errors.ts";
import type { Approval, DecisionScope } from "../../schema/rows/permission-rows.ts";
import { iso } from "../records/shown.ts";

/** What a person may say of how far their decision reaches. */

/** In milliseconds. @throws AgentError usage: it is about one call, or the time has passed */
export function endOf(until: string, scope: DecisionScope, now: number): number {
  const at = Date.parse(until);
  if (scope === "once")
    throw new AgentError("usage", "A decision about one call has no end; name a wider scope.");
  if (at <= now) throw new AgentError("usage", `${iso(at)} has passed already.`);
  return at;
}

/** @throws AgentError usage: one is not the directory of a proposed path */
export function refuseUnfit({ proposed_grants }: Approval, grants: readonly string[]): void {
  const known = proposed_grants.map(directoryPattern).filter((pattern) => pattern !== undefined);
  const unfit = grants.find((pattern) => !known.includes(pattern));
  if (unfit === undefined) return;
  const hint =
    known.length === 0
      ? "leave it out: what is proposed is granted exactly"
      : `it can be: ${known.join(", ")}`;
  throw new AgentError("usage", `${unfit} is not the directory of what this call needs.`, { hint });
}
