import type { Lookup } from "../../../engine/engine.ts";
import { isPrivate } from "../../../policy/session-place.ts";
import type { RowReader } from "../../../ports/store.ts";
import { connectorUpdateTable, type DeliveryKind } from "../../../schema/rows/channel-rows.ts";
import type { SendParams } from "../../../schema/effect.ts";
import { runTable } from "../../../schema/rows/run-rows.ts";
import type { SessionPlace } from "../../../schema/session-place.ts";
import { keyIn, placeIn } from "../../session-key.ts";
import { connectorAddress } from "../channels.ts";
import type { InboundPlace } from "../../../schema/inbound.ts";

/** What people in channels are told of their runs and messages: each becomes a delivery, in the transaction that it tells of. */
export const announcements: { readonly [name: string]: Lookup } = {
  tellReply: (read, { session_address, run_id }) => {
    const run = read.get(runTable, run_id as string);
    const place = placeOf(session_address);
    const reply_to = run === undefined ? null : answeredMessage(read, place, run.trace_id);
    return [due(place, { kind: "reply", about: run_id as string, reply_to })];
  },
  tellDropped: (_read, { session_address, dropped }) => {
    const many =
      dropped === 1
        ? "The message that waited here was"
        : `${dropped as number} messages that waited here were`;
    const text = `${many} not answered: the conversation was closed before.`;
    return [due(placeOf(session_address), { kind: "notice", text })];
  },
};

export function placeOf(sessionAddress: unknown): SessionPlace {
  return placeIn(keyIn(sessionAddress as string));
}

type Said = {
  readonly kind: DeliveryKind;
  readonly about?: string | null;
  readonly text?: string | null;
  readonly reply_to?: string | null;
  readonly edits?: string | null;
};

/** Something to be said in the conversation of this session. */
function due(place: SessionPlace, said: Said): SendParams {
  const { connector_id, conversation_scope: scope } = place;
  return dueIn(connector_id, scope, said);
}

export function dueIn(connectorId: string, scope: string, said: Said): SendParams {
  const nothing = { about: null, text: null, reply_to: null, edits: null, resends: null };
  const event = { type: "delivery.due", scope, ...nothing, ...said } as const;
  return { to: connectorAddress(connectorId), event };
}

/** What the service itself says to whoever wrote there. */
export function noticeTo(
  { connector_id, conversation_scope, trace_id: trace }: InboundPlace,
  said: { readonly text: string; readonly reply_to: string | null },
): SendParams {
  return { ...dueIn(connector_id, conversation_scope, { kind: "notice", ...said }), trace };
}

/** The message that a trace began with, where others talk in between. */
export function answeredMessage(
  read: RowReader,
  place: SessionPlace,
  trace: string,
): string | null {
  if (isPrivate(place)) return null;
  const [update] = read.select(connectorUpdateTable, {
    index: "by_trace",
    equals: [trace],
    limit: 1,
  });
  return update?.message_id ?? null;
}
