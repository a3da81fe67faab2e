import { composeMessage } from "../../../actors/channel/sending/compose.ts";
import type { CommittedReader } from "../../../ports/store.ts";
import type { Channel } from "../../../ports/channel.ts";
import { deliveryTable } from "../../../schema/rows/channel-rows.ts";
import type { DeliveryContext } from "../../../schema/contexts/delivery-context.ts";
import type { LiveScreen } from "./live-screen.ts";

const elsewhere = "(The answer is below.)";

export type Delivered = {
  readonly channel: Channel;
  readonly read: CommittedReader;
  readonly delivery: DeliveryContext;
  readonly signal: AbortSignal;
};

/** Puts right what a run's last showing has left when its reply arrives at the same moment: a message that the reply did not find
 *  says where it is, and an unfinished text that may have come over the reply is replaced by it once more. */
export async function settleScreen(screen: LiveScreen, delivered: Delivered): Promise<void> {
  const { channel, delivery, read, signal } = delivered;
  const { messageId } = screen;
  if (messageId === undefined) return;
  const { scope, delivery_id, edits } = delivery;
  if (edits !== messageId) {
    await channel.live.changePreview({ scope, messageId, text: elsewhere });
  } else if (screen.mayHideReply) {
    const row = await read.get(deliveryTable, delivery_id);
    const message = row === undefined ? undefined : await composeMessage(read, row);
    if (message !== undefined) await channel.edit(messageId, message, { key: delivery_id, signal });
  }
}
