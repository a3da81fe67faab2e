import type { Admitted } from "../../../gateway/judged.ts";
import { isPrivate } from "../../../policy/session-place.ts";
import { deliveryTable } from "../../../schema/rows/channel-rows.ts";
import type { SendParams } from "../../../schema/effect.ts";
import type { Intake } from "./intake-parts.ts";
import { connectorAddress } from "../channels.ts";
import { readResendData } from "../sending/undelivered.ts";
import { personName } from "../../../policy/person-name.ts";

/** A tap that has something sent again, on the notice that says that it may not have arrived.
 *  @returns undefined: it is another button */
export function resendByTap(intake: Intake, admitted: Admitted): readonly SendParams[] | undefined {
  const { place, what } = admitted;
  const delivery_id = what.kind === "button" ? readResendData(what.data) : undefined;
  if (what.kind !== "button" || delivery_id === undefined) return undefined;
  const notices = intake.read.select(deliveryTable, { index: "by_about", equals: [delivery_id] });
  const isOurs = notices.some(
    ({ kind, connector_id, scope, message_ids }) =>
      kind === "notice" &&
      connector_id === place.connector_id &&
      scope === place.conversation_scope &&
      message_ids.includes(what.message_id),
  );
  if (!isOurs || !mayWriteHere(intake, admitted)) return [];
  const by = personName(place.connector_id, place.user_scope);
  const event = { type: "delivery.resend", delivery_id, by };
  return [{ to: connectorAddress(place.connector_id), event, trace: place.trace_id }];
}

/** Who may only approve taps too, and is not heard beyond that but in private. */
function mayWriteHere({ channels }: Intake, { place }: Admitted): boolean {
  const { connector_id, user_scope } = place;
  const allowed = channels.settings(connector_id)?.doorway.allow_users ?? [];
  return isPrivate(place) || allowed.includes(user_scope);
}
