import { directoryPattern } from "../../policy/pattern.ts";
import { anyShellText } from "../../policy/shell-command.ts";
import type { ApprovalContext } from "../../schema/contexts/approval-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import type { EventOf } from "../../schema/events/events.ts";
import {
  type DecisionScope,
  type Grant,
  grantOwners,
  grantTable,
} from "../../schema/rows/permission-rows.ts";
import { type EffectAction, putRow, sendTo } from "../effect-actions.ts";

/** What a person's decision says of calls like this one: the rows that let them run, or refuse them, unasked. */

type Decide = EventOf<"approval.decide">;

/** How far a decision really reaches: only as far as there is something narrow to say of other calls. */
export function scopeOf(context: ApprovalContext, event: Decide): DecisionScope {
  return patternsOf(context, event).length === 0 ? "once" : event.scope;
}

/** When what is given with it ends, if that is before its owner does. */
export function untilOf(context: ApprovalContext, event: Decide): number | null {
  return scopeOf(context, event) === "once" ? null : (event.until ?? null);
}

export function grantsOf(context: ApprovalContext, event: Delivered<Decide>): EffectAction[] {
  const scope = scopeOf(context, event);
  if (scope === "once") return [];
  const { session_address, tool, pin, terms, accepted, approval_id } = context;
  const expires_at = untilOf(context, event);
  const rows = patternsOf(context, event).map((capability, index): Grant => ({
    grant_id: `g${event.$.seq}-${index}`,
    session_address,
    owner: grantOwners(context)[scope],
    scope,
    effect: event.decision === "approve" ? "allow" : "deny",
    tool,
    capability,
    pin,
    terms,
    accepted,
    approval_id,
    given_by: event.by,
    given_at: event.$.at,
    expires_at,
  }));
  return rows.flatMap((row) => [putRow(grantTable, row), ...expiryOf(row)]);
}

/** A yes holds for what was proposed, or for the directory of it that the person named; a no for exactly what the call needs, and
 *  not for all that a shell can be told. */
function patternsOf(context: ApprovalContext, event: Decide): readonly string[] {
  const { requested, proposed_grants, pin } = context;
  if (event.decision === "deny")
    return pin === null && requested.includes(anyShellText) ? [] : [...new Set(requested)];
  const named = event.grants ?? [];
  const widened = proposed_grants.map((exact) => {
    const directory = directoryPattern(exact);
    return directory !== undefined && named.includes(directory) ? directory : exact;
  });
  return [...new Set(widened)];
}

function expiryOf({ session_address, grant_id, expires_at }: Grant): EffectAction[] {
  if (expires_at === null) return [];
  return [sendTo(session_address, { type: "grant.given", grant_id, expires_at })];
}
