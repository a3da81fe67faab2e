import { fromPromise, setup } from "xstate";
import type { DeliverPartInput, DeliverPartOutput } from "../../schema/activities.ts";
import type { DeliveryContext } from "../../schema/contexts/delivery-context.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import { claimTurn, concludeDelivery, recordSending, scheduleRetry } from "./delivery-effects.ts";
import type { DeliveryEvent, DeliveryInput } from "./delivery-events.ts";
import {
  forgetEdited,
  newDelivery,
  rememberFailure,
  rememberPart,
  rememberTurn,
} from "./delivery-memory.ts";
import { hasLostItsBeginning, hasMoreParts, isUnknown, mayRetry } from "./delivery-rules.ts";
import { lookup, wakeLater, write } from "../effect-actions.ts";

/** One message of ours on its way to people; it ends delivered, unknown or dead, and never says the same twice by itself. */
export const deliveryMachine = setup({
  types: {
    context: {} as DeliveryContext,
    input: {} as DeliveryInput & { $: EventMeta },
    events: {} as Delivered<DeliveryEvent>,
    tags: {} as "busy" | "waiting" | "terminal",
  },
  actors: {
    deliverPart: fromPromise<DeliverPartOutput, DeliverPartInput>(() => {
      throw new Error("deliverPart is an activity: the engine runs it");
    }),
  },
  actions: {
    lookup,
    write,
    wakeLater,
    claimTurn,
    recordSending,
    scheduleRetry,
    concludeDelivery,
    rememberTurn,
    rememberPart,
    rememberFailure,
    forgetEdited,
  },
  guards: { hasMoreParts, hasLostItsBeginning, mayRetry, isUnknown },
}).createMachine({
  id: "delivery",
  version: "1",
  context: newDelivery,
  entry: "claimTurn",
  initial: "pending",
  states: {
    pending: {
      description: "Waits until what goes before it is out, or until it may be tried again.",
      tags: ["waiting"],
      on: {
        "turn.granted": { target: "sending", actions: "rememberTurn" },
        "delivery.retry": "sending",
        "delivery.cancel": "dead",
      },
    },
    sending: {
      description: "The channel has it; nobody knows yet whether it arrives.",
      tags: ["busy"],
      entry: "recordSending",
      invoke: {
        src: "deliverPart",
        id: "deliverPart",
        input: ({ context }) => ({
          delivery_id: context.delivery_id,
          connector_id: context.connector_id,
          part: context.part,
          edits: context.part === 0 ? context.edits : null,
        }),
        onDone: [
          { guard: "hasMoreParts", target: "sending", reenter: true, actions: "rememberPart" },
          { target: "delivered", actions: "rememberPart" },
        ],
        onError: [
          {
            guard: "hasLostItsBeginning",
            target: "sending",
            reenter: true,
            actions: "forgetEdited",
          },
          { guard: "isUnknown", target: "unknown", actions: "rememberFailure" },
          { guard: "mayRetry", target: "pending", actions: ["rememberFailure", "scheduleRetry"] },
          { target: "dead", actions: "rememberFailure" },
        ],
      },
      meta: {
        ignores: {
          "turn.granted": "It has its turn.",
          "delivery.retry": "It is being sent.",
          "delivery.cancel": "It is being sent and cannot be called back.",
        },
      },
    },
    delivered: {
      description: "The channel took all of it.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeDelivery", params: { state: "delivered" } },
    },
    unknown: {
      description: "It may have arrived; a person decides whether it is sent again.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeDelivery", params: { state: "unknown" } },
    },
    dead: {
      description: "It will not arrive; a person may have it sent again.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeDelivery", params: { state: "dead" } },
    },
  },
});
