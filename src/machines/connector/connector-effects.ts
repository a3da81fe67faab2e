import { auditTable } from "../../schema/rows/audit-rows.ts";
import {
  chosenAgentTable,
  connectorUpdateTable,
  type DeliveryRow,
  deliveryTable,
  pairingTable,
  rateBucketTable,
} from "../../schema/rows/channel-rows.ts";
import type { ConnectorContext } from "../../schema/contexts/connector-context.ts";
import type { Delivered, EventData } from "../../schema/events/event.ts";
import { ofNobody, unaskedEntry } from "../audit-entry.ts";
import type { AnyConnectorEvent, ConnectorEvent } from "./connector-events.ts";
import type { DeliveryInput } from "../delivery/delivery-events.ts";
import {
  ask,
  type EffectAction,
  effects,
  patchRow,
  putRow,
  sendTo,
  spawn,
} from "../effect-actions.ts";

type Event = Delivered<ConnectorEvent>;

/** The gateway's word, and what follows from it, come in the same transaction. */
export const judgeUpdates = effects<ConnectorContext, Event>(({ context, event }) => {
  const said = event as Delivered<AnyConnectorEvent>;
  const updates = updatesIn(said);
  const { connector_id } = context;
  return updates.length === 0 ? [] : [ask("judgeUpdates", { connector_id, updates })];
});

function updatesIn(event: AnyConnectorEvent) {
  if (event.type === "updates.received" || event.type === "updates.deferred") return event.updates;
  return event.type === "xstate.done.actor.receiveUpdates" ? event.output.updates : [];
}

export const recordJudged = effects<ConnectorContext, Event>(({ context, event }) => {
  if (event.type !== "updates.judged") return [];
  return [
    ...event.updates.map((row) => putRow(connectorUpdateTable, row)),
    ...event.buckets.map((row) => putRow(rateBucketTable, row)),
    ...event.pairings.map((row) => putRow(pairingTable, row)),
    ...event.refusals.map((refusal) => refusalRow(context, event.$.at, refusal)),
    ...(event.rest.length === 0
      ? []
      : [sendTo("self", { type: "updates.deferred", updates: event.rest })]),
  ];
});

export const recordChoice = effects<ConnectorContext, Event>(({ event }) =>
  event.type === "agent.chosen" ? [putRow(chosenAgentTable, event.choice)] : [],
);

type Refusal = Extract<Event, { type: "updates.judged" }>["refusals"][number];

function refusalRow(
  { connector_id }: ConnectorContext,
  at: number,
  { by, reason, count, trace }: Refusal,
): EffectAction {
  const input = { connector_id, updates: count };
  const about = { ...ofNobody, trace_id: trace, input };
  return putRow(auditTable, unaskedEntry("decision", about, { at, by, status: "refused", reason }));
}

/** What is to be said has an actor of its own until it was. */
export const spawnDelivery = effects<ConnectorContext, Event>(({ context, event }) => {
  if (event.type !== "delivery.due") return [];
  const { type: _type, $, ...due } = event;
  const delivery_id = `d${$.seq}`;
  const { connector_id } = context;
  const input: DeliveryInput = { delivery_id, connector_id, first_part: 0, ...due };
  return [spawn(`delivery/${delivery_id}`, "delivery", input)];
});

/** Its person hears that a message was not taken, in the words of whoever refused it. */
export const tellRefused = effects<ConnectorContext, Event>(({ event }) => {
  if (event.type !== "message.refused") return [];
  const { scope, reply_to, reason } = event;
  return [sendTo("self", notice({ scope, reply_to, text: refusalText(reason ?? "") }))];
});

function notice(said: {
  readonly scope: string;
  readonly text: string;
  readonly reply_to: string | null;
}): EventData {
  return { type: "delivery.due", kind: "notice", about: null, edits: null, resends: null, ...said };
}

function refusalText(reason: string): string {
  if (reason.startsWith("session.queue_full"))
    return "Too many messages wait here already. I have not taken this one; send it again later.";
  if (reason.startsWith("actor.quarantined"))
    return "This conversation was set aside after a fault inside statehive. /new says how to begin another one.";
  if (reason.startsWith("approval.")) return reason.slice(reason.indexOf(": ") + 2);
  return "I have not taken this message; send it again in a moment.";
}

export const findPairing = effects<ConnectorContext, Event>(({ context, event }) => {
  const { connector_id } = context;
  if (event.type === "pairing.approve")
    return [ask("findPairing", { connector_id, code: event.code, by: event.by })];
  if (event.type !== "pairing.revoke") return [];
  return [ask("findPairing", { connector_id, user_scope: event.user_scope, by: event.by })];
});

export const recordPairing = effects<ConnectorContext, Event>(({ event }) => {
  if (event.type !== "pairing.found") return [];
  const { pairing, state, by, $ } = event;
  const { user_scope, connector_id, scope } = pairing;
  const input = { connector_id, user_scope };
  const about = { ...ofNobody, trace_id: $.trace, input };
  const word = { at: $.at, by, status: state, reason: null };
  const text =
    state === "approved"
      ? "You are let in now. /help says what I understand."
      : "You are not let in any more.";
  return [
    putRow(pairingTable, { ...pairing, state, decided_at: $.at, decided_by: by }),
    putRow(auditTable, unaskedEntry("decision", about, word)),
    sendTo("self", notice({ scope, text, reply_to: null })),
  ];
});

/** A delivery that was set aside cannot close its own row, nor can who fetches files say that they are lost. */
export const settleFailedChild = effects<ConnectorContext, Event>(({ context, event }) => {
  if (event.type !== "actor.failed") return [];
  const { connector_id } = context;
  if (event.machine === "download")
    return [ask("tellLostFiles", { connector_id, trace: event.$.trace })];
  return event.machine === "delivery" ? settledDelivery(event) : [];
});

function settledDelivery(
  event: Extract<Event, { readonly type: "actor.failed" }>,
): readonly EffectAction[] {
  const delivery_id = event.address.slice(event.address.lastIndexOf("/") + 1);
  const error = { ...event.error, code: "internal", retryable: false } as const;
  const ended: Partial<DeliveryRow> = { state: "dead", open: 0, ended_at: event.$.at, error };
  return [
    patchRow(deliveryTable, [delivery_id], ended),
    ask("grantNextTurn", { delivery_id }),
    ask("tellUndelivered", { delivery_id }),
  ];
}
