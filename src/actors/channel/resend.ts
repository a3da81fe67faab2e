import type { Lookup } from "../../engine/engine.ts";
import { deliveryTable } from "../../schema/channel-rows.ts";
import type { EventData } from "../../schema/event.ts";

/** What ended without having arrived, as far as is known, and was not sent again before. */
export const findResendable: Lookup = (read, { connector_id, delivery_id, by }) => {
  const delivery = read.get(deliveryTable, delivery_id as string);
  const isIts = delivery?.connector_id === connector_id && delivery?.resent_as === null;
  const mayHelp = delivery?.state === "unknown" || delivery?.state === "dead";
  if (!isIts || !mayHelp) return [];
  return [{ to: "self", event: { type: "resendable.found", delivery, by } as EventData }];
};
