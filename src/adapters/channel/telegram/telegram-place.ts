import { AgentError } from "../../../schema/errors.ts";
import type { Conversation } from "../../../schema/inbound.ts";
import type { WireChat, WireMessage } from "./updates/telegram-shapes.ts";

/** A conversation is a chat, or a topic in it: `-100123/7`. The topic General has the number 1, but on messages it is not there. */

const general = 1;

const kinds = {
  private: "private",
  group: "group",
  supergroup: "group",
  channel: "broadcast",
} as const;

type Threaded = Pick<WireMessage, "message_thread_id" | "is_topic_message">;

export function conversationOf(chat: WireChat, threaded: Threaded = {}): Conversation {
  const topic = topicOf(chat, threaded);
  const id = String(chat.id);
  const scope = topic === undefined ? id : `${id}/${topic}`;
  return { kind: kinds[chat.type], chat: id, scope };
}

/** Where there are no topics, a thread is only a chain of replies. */
function topicOf(chat: WireChat, threaded: Threaded): number | undefined {
  if (threaded.is_topic_message === true && threaded.message_thread_id !== undefined)
    return threaded.message_thread_id;
  return chat.is_forum === true ? general : undefined;
}

export type Place = { readonly chat_id: number; readonly message_thread_id?: number };

const scopeForm = /^(-?\d{1,16})(?:\/(\d{1,16}))?$/;

/** Where an action such as typing is shown. */
export function placeOf(scope: string): Place {
  const [, chat, topic] = scopeForm.exec(scope) ?? [];
  if (chat === undefined)
    throw new AgentError("channel.refused", `"${scope}" is no conversation of Telegram.`);
  const chatId = Number(chat);
  return topic === undefined
    ? { chat_id: chatId }
    : { chat_id: chatId, message_thread_id: Number(topic) };
}

/** Where a message goes: Telegram refuses the number of General. */
export function sendPlaceOf(scope: string): Place {
  const place = placeOf(scope);
  return place.message_thread_id === general ? { chat_id: place.chat_id } : place;
}
