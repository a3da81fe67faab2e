import type { Lookup } from "../../../engine/engine.ts";
import { deliveryTable } from "../../../schema/rows/channel-rows.ts";
import type { EventData } from "../../../schema/events/event.ts";
import { mayBeResent, tellUndelivered } from "./undelivered.ts";

/** What ended without having arrived, as far as is known, and was not sent again before. */
const findResendable: Lookup = (read, { connector_id, delivery_id, by }) => {
  const delivery = read.get(deliveryTable, delivery_id as string);
  if (delivery === undefined || !mayBeResent(delivery)) return [];
  if (delivery.connector_id !== connector_id) return [];
  return [{ to: "self", event: { type: "resendable.found", delivery, by } as EventData }];
};

export const aboutUndelivered = { findResendable, tellUndelivered };
