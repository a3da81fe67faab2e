import { badRequest, type Params } from "./wire.ts";

/** Chats, and who has written what in them. A private chat's messages are a bot's own; a group's are everybody's. */

export type WireChat = {
  readonly id: number;
  readonly type: "private" | "group" | "supergroup" | "channel";
  readonly title?: string;
  readonly first_name?: string;
  readonly username?: string;
  readonly is_forum?: true;
};

/** A message as the Bot API shows it; what was said later in its place is written into it. */
export type WireMessage = {
  message_id: number;
  date: number;
  chat: WireChat;
  [field: string]: unknown;
};

export type Room = {
  chat: WireChat;
  readonly topics: Set<number>;
  readonly messages: Map<number, WireMessage>;
  lastMessageId: number;
  isBlocked: boolean;
  /** The supergroup that this group has become. */
  movedTo?: number;
};

export type World = {
  /** The chat as this bot sees it, or undefined if they never met. */
  find(botId: number, chatId: number): Room | undefined;
  /** Makes the chat known. */
  meet(botId: number, chat: WireChat): Room;
  write(room: Room, fields: Params): WireMessage;
};

export function createWorld(): World {
  const rooms = new Map<string, Room>();
  const members = new Set<string>();
  const keyOf = (botId: number, chatId: number) =>
    chatId > 0 ? `${botId}/${chatId}` : `${chatId}`;
  return {
    find: (botId, chatId) =>
      members.has(`${botId}/${chatId}`) ? rooms.get(keyOf(botId, chatId)) : undefined,
    meet: (botId, chat) => {
      members.add(`${botId}/${chat.id}`);
      const key = keyOf(botId, chat.id);
      const fresh = { topics: new Set<number>(), messages: new Map<number, WireMessage>() };
      const room = rooms.get(key) ?? { chat, ...fresh, lastMessageId: 0, isBlocked: false };
      room.chat = { ...room.chat, ...chat };
      rooms.set(key, room);
      return room;
    },
    write: (room, fields) => {
      room.lastMessageId += 1;
      const date = Math.floor(Date.now() / 1000);
      const message = { message_id: room.lastMessageId, date, chat: room.chat, ...fields };
      room.messages.set(message.message_id, message);
      return message;
    },
  };
}

/** The thread that a bot's message goes to. General has none: its number is refused, as Telegram does. */
export function threadIn(room: Room, thread: number | undefined): Params {
  if (thread === undefined) return {};
  if (thread === 1 || !room.topics.has(thread)) throw badRequest("message thread not found");
  return { message_thread_id: thread, is_topic_message: true };
}
