import {
  type DeliveryRow,
  type DeliveryState,
  deliveryTable,
} from "../../schema/rows/channel-rows.ts";
import type { DeliveryContext } from "../../schema/contexts/delivery-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import type { DeliveryEvent, DeliveryInput } from "./delivery-events.ts";
import { errorOf, retryMs } from "./delivery-rules.ts";
import { ask, effects, patchRow, putRow } from "../effect-actions.ts";

type Event = Delivered<DeliveryEvent>;

/** XState's first event carries the input. */
type Created = { readonly input: DeliveryInput };

/** In a conversation, what was to be said first goes out first. */
export const claimTurn = effects<DeliveryContext, Event>(({ context, event }) => {
  const { text, reply_to, resends } = (event as unknown as Created).input;
  const { delivery_id, connector_id, scope, kind, about, edits, created_at } = context;
  const { seq, self: address, trace: trace_id } = event.$;
  const row: DeliveryRow = {
    delivery_id,
    seq,
    address,
    connector_id,
    scope,
    kind,
    about,
    text,
    reply_to,
    edits,
    state: "pending",
    open: 1,
    message_ids: [],
    attempts: 0,
    error: null,
    resends,
    resent_as: null,
    trace_id,
    created_at,
    ended_at: null,
  };
  return [putRow(deliveryTable, row), ask("grantTurn", { delivery_id })];
});

export const recordSending = effects<DeliveryContext, Event>(({ context }) => [
  patchRow(deliveryTable, [context.delivery_id], { state: "sending" }),
]);

export const scheduleRetry = effects<DeliveryContext, Event>(({ context, event }) => {
  const error = errorOf(event);
  const { delivery_id, attempts } = context;
  const tried = { state: "pending", attempts, error: error ?? null } as const;
  return [
    patchRow(deliveryTable, [delivery_id], tried),
    {
      type: "wakeLater",
      params: {
        id: "retry",
        delayMs: retryMs(context, error),
        event: { type: "delivery.retry" },
      },
    },
  ];
});

type Ended = Extract<DeliveryState, "delivered" | "unknown" | "dead">;

/** What a person did not want any more has not failed. The next one of its conversation has its turn; a question that has ended
 *  meanwhile is told so. */
export const concludeDelivery = effects<DeliveryContext, Event, { state: Ended }>(
  ({ context, event }, { state }) => {
    const { delivery_id, message_ids, attempts, kind } = context;
    const hasFailed = state !== "delivered" && event.type !== "delivery.cancel";
    const error = hasFailed ? (errorOf(event) ?? context.error) : null;
    return [
      patchRow(deliveryTable, [delivery_id], {
        state,
        open: 0,
        message_ids,
        attempts,
        error,
        ended_at: event.$.at,
      }),
      ask("grantNextTurn", { delivery_id }),
      ...(state === "delivered" ? [] : [ask("tellUndelivered", { delivery_id })]),
      ...(kind === "question" ? [ask("tellLateOutcome", { delivery_id })] : []),
    ];
  },
);
