import type { OutboundMessage } from "../../../schema/outbound.ts";
import { failure, movedTo } from "./telegram-errors.ts";

/** A group that becomes a supergroup has another number from then on. What was to be said in the one goes to the other if that is let
 *  in too: which it is, Telegram says each time. */

export async function sendAlsoAfterMove<T>(
  message: OutboundMessage,
  groups: readonly string[],
  send: (message: OutboundMessage) => Promise<T>,
): Promise<T> {
  try {
    return await send(message);
  } catch (error) {
    const to = movedTo(error);
    if (to === undefined || !groups.includes(to)) throw error;
    return await send(inSupergroup(message, to));
  }
}

/** Messages are numbered anew there, and a tap there would be none of the conversation that this belongs to. */
function inSupergroup(message: OutboundMessage, scope: string): OutboundMessage {
  if (message.body.kind === "card")
    throw failure(
      "channel.refused",
      "It is a question from before this group became a supergroup; it is answered at the machine: `statehive approvals list`.",
    );
  return { ...message, scope, reply_to: null, buttons: [] };
}

/** No message of the old group can be changed any more. */
export function asGone(error: unknown): unknown {
  if (movedTo(error) === undefined) return error;
  const words = "The group has become a supergroup; what was said before cannot be changed.";
  return failure("channel.refused", words, { details: { is_gone: true } });
}
