import type { Approval } from "../../../schema/rows/permission-rows.ts";
import type { Channels } from "../channels.ts";
import { askedIn } from "./question-places.ts";
import { personName } from "../../../policy/person-name.ts";

/** The question with those of its approvers who may answer it still: whom the owner has taken off the list since it was put has no
 *  say in it any more. */
export function withThoseNamedStill(
  channels: Pick<Channels, "settings">,
  approval: Approval,
): Approval {
  const { connector_id, user_scope } = askedIn(approval).home;
  const doorway = channels.settings(connector_id)?.doorway;
  if (doorway === undefined) return approval;
  const asked = approval.kind === "question" ? [user_scope] : [];
  const still = new Set(
    [...doorway.approvers, ...asked].map((user) => personName(connector_id, user)),
  );
  return { ...approval, approvers: approval.approvers.filter((one) => still.has(one)) };
}

/** What an answer of this person is sent with: one that counts no more is refused by the question itself, for the audit. */
export function barringOf(
  channels: Pick<Channels, "settings">,
  approval: Approval,
  by: string,
): { readonly is_barred?: true } {
  const isBarred =
    approval.approvers.includes(by) &&
    !withThoseNamedStill(channels, approval).approvers.includes(by);
  return isBarred ? { is_barred: true } : {};
}
