import type { ActivityKind } from "../../../engine/activities/activity-kind.ts";
import type { CommittedReader } from "../../../ports/store.ts";
import type { DeliverPartInput, DeliverPartOutput } from "../../../schema/activities.ts";
import { type DeliveryRow, deliveryTable } from "../../../schema/rows/channel-rows.ts";
import { AgentError } from "../../../schema/errors.ts";
import { type Channels, channelOf } from "../channels.ts";
import { composeMessage } from "./compose.ts";

/** Of one connector; a crash leaves no more unknown than this. */
const atOnce = 8;

/** Sends one part of a delivery, or puts it in the place of a message of ours. What it says is read from rows, so that every
 *  attempt says the same. */
export function createDeliverPart(
  channels: Channels,
  read: () => CommittedReader,
): ActivityKind<DeliverPartInput, DeliverPartOutput> {
  return {
    recovery: ({ connector_id, edits }) =>
      edits !== null ? "repeat" : (channels.get(connector_id)?.sends ?? "once"),
    maxConcurrent: atOnce,
    queueOf: ({ connector_id }) => connector_id,
    run: async ({ input, signal }) => {
      const { delivery_id, connector_id, part, edits } = input;
      const channel = channelOf(channels, connector_id);
      const delivery = await deliveryOf(read(), delivery_id);
      const message = await composeMessage(read(), delivery);
      if (message === undefined) return nothingSaid;
      const call = { key: keyOf(delivery, part), signal };
      if (edits === null) return await channel.send(message, part, call);
      return await channel.edit(edits, message, call).catch((error: unknown) => {
        if (delivery.kind === "outcome" && isGone(error)) return nothingSaid;
        throw error;
      });
    },
  };
}

/** How a question ended is of no use where its card is there no more. */
const nothingSaid = { message_id: null, parts: 1 };

function isGone(error: unknown): boolean {
  return error instanceof AgentError && error.details?.["is_gone"] === true;
}

/** The same also when the part is tried again by a later step; of no other part in this home, or in one that took its place. */
function keyOf({ connector_id, delivery_id, created_at }: DeliveryRow, part: number): string {
  return `${connector_id}:${delivery_id}:${part}:${created_at}`;
}

async function deliveryOf(read: CommittedReader, id: string) {
  const row = await read.get(deliveryTable, id);
  if (row === undefined) throw new AgentError("internal", `delivery ${id} has no row`);
  return row;
}
