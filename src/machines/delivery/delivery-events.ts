import type { DeliverPartOutput } from "../../schema/activities.ts";
import type { DeliveryContext } from "../../schema/contexts/delivery-context.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { EventOf } from "../../schema/events/events.ts";

export type DeliveryInput = Pick<
  DeliveryContext,
  "delivery_id" | "connector_id" | "scope" | "kind" | "about" | "edits"
> & {
  readonly text: string | null;
  readonly reply_to: string | null;
  readonly resends: string | null;
  /** Those before it have arrived. */
  readonly first_part: number;
};

export type DeliveryEvent =
  | EventOf<"turn.granted">
  | EventOf<"delivery.retry">
  | EventOf<"delivery.cancel">;

export type AnyDeliveryEvent =
  | DeliveryEvent
  | { readonly type: "xstate.done.actor.deliverPart"; readonly output: DeliverPartOutput }
  | { readonly type: "xstate.error.actor.deliverPart"; readonly error: ErrorData };
