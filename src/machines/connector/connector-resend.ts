import { auditTable } from "../../schema/rows/audit-rows.ts";
import { deliveryTable } from "../../schema/rows/channel-rows.ts";
import type { ConnectorContext } from "../../schema/contexts/connector-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import { ofNobody, unaskedEntry } from "../audit-entry.ts";
import type { ConnectorEvent } from "./connector-events.ts";
import type { DeliveryInput } from "../delivery/delivery-events.ts";
import { ask, effects, patchRow, putRow, spawn } from "../effect-actions.ts";

type Event = Delivered<ConnectorEvent>;

/** A person has what did not arrive sent again: once, however often they say so. */
export const findResendable = effects<ConnectorContext, Event>(({ context, event }) => {
  if (event.type !== "delivery.resend") return [];
  const { connector_id } = context;
  const { delivery_id, by } = event;
  return [ask("findResendable", { connector_id, delivery_id, by })];
});

/** What is known to have arrived is not said again. */
export const repeatDelivery = effects<ConnectorContext, Event>(({ context, event }) => {
  if (event.type !== "resendable.found") return [];
  const { connector_id } = context;
  const { delivery, by, $ } = event;
  const { delivery_id: resends, scope, kind, about, text, reply_to, edits, message_ids } = delivery;
  const delivery_id = `d${$.seq}`;
  const said = { scope, kind, about, text, reply_to, edits };
  const first_part = message_ids.length;
  const input: DeliveryInput = { delivery_id, connector_id, ...said, resends, first_part };
  const audited = { ...ofNobody, trace_id: $.trace, input: { connector_id, scope, resends } };
  const word = { at: $.at, by, status: "resent", reason: null };
  return [
    patchRow(deliveryTable, [resends], { resent_as: delivery_id }),
    putRow(auditTable, unaskedEntry("decision", audited, word)),
    spawn(`delivery/${delivery_id}`, "delivery", input),
  ];
});
