import { assign } from "xstate";
import type { DeliveryContext } from "../../schema/contexts/delivery-context.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import type { AnyDeliveryEvent, DeliveryEvent, DeliveryInput } from "./delivery-events.ts";
import { errorOf } from "./delivery-rules.ts";

/** What a delivery remembers: which parts arrived, and what went wrong with the next one. */

type Event = Delivered<DeliveryEvent>;
type Known = { readonly context: DeliveryContext; readonly event: Delivered<AnyDeliveryEvent> };

const remember = (change: (known: Known) => Partial<DeliveryContext>) =>
  assign<DeliveryContext, Event, undefined, Event, never>(change);

export function newDelivery({
  input,
}: {
  readonly input: DeliveryInput & { $: EventMeta };
}): DeliveryContext {
  const { $, text: _text, reply_to: _reply, resends: _resends, first_part, ...delivery } = input;
  return {
    ...delivery,
    part: first_part,
    message_ids: [],
    attempts: 0,
    created_at: $.at,
    error: null,
  };
}

/** What its reply began with is replaced by its first part. */
export const rememberTurn = remember(({ context, event }) =>
  event.type === "turn.granted" ? { edits: event.edits ?? context.edits } : {},
);

export const rememberPart = remember(({ context, event }) => {
  if (event.type !== "xstate.done.actor.deliverPart") return {};
  const { message_id } = event.output;
  return {
    part: context.part + 1,
    message_ids: message_id === null ? context.message_ids : [...context.message_ids, message_id],
    attempts: 0,
    error: null,
  };
});

/** The message that it was to replace is gone: it becomes a new one. */
export const forgetEdited = remember(() => ({ edits: null }));

export const rememberFailure = remember(({ context, event }) => ({
  attempts: context.attempts + 1,
  error: errorOf(event) ?? null,
}));
