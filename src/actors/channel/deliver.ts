import type { ActivityKind } from "../../engine/activity-kind.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { DeliverPartInput, DeliverPartOutput } from "../../schema/activities.ts";
import { deliveryTable } from "../../schema/channel-rows.ts";
import { AgentError } from "../../schema/errors.ts";
import { type Channels, channelOf } from "./channels.ts";
import { composeMessage } from "./compose.ts";

const atOnce = 16;

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
    run: async ({ input, key, signal }) => {
      const { delivery_id, connector_id, part, edits } = input;
      const channel = channelOf(channels, connector_id);
      const message = await composeMessage(read(), await deliveryOf(read(), delivery_id));
      if (message === undefined) return { message_id: null, parts: 1 };
      return edits === null
        ? channel.send(message, part, { key, signal })
        : channel.edit(edits, message, { key, signal });
    },
  };
}

async function deliveryOf(read: CommittedReader, id: string) {
  const row = await read.get(deliveryTable, id);
  if (row === undefined) throw new AgentError("internal", `delivery ${id} has no row`);
  return row;
}
