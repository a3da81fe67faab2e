import type { Account, BotMessage, HeldFile } from "./account.ts";
import type { Update } from "./update-queue.ts";
import type { Params } from "./wire.ts";
import type { Room, WireChat, WireMessage } from "./world.ts";

/** What people do to a bot: they write, edit, tap. Each becomes the update that Telegram makes of it. */

export type Person = {
  readonly id: number;
  readonly name?: string;
  readonly username?: string;
  readonly isBot?: boolean;
};

/** A negative number is a group. */
export type Place = number | { readonly chat: number; readonly topic?: number };

export type FileToSend = {
  readonly kind: "photo" | "voice" | "audio" | "video" | "document";
  readonly bytes: Uint8Array | (() => Iterable<Uint8Array> | AsyncIterable<Uint8Array>);
  readonly name?: string;
  readonly type?: string;
  /** What Telegram says of its size; else what it is, and nothing where the bytes come by themselves. */
  readonly saysSize?: number;
  /** What getFile says: `documents/file_7.pdf`. */
  readonly path?: string;
};

export type SayOptions = {
  /** 1001 unless told. */
  readonly from?: number | Person;
  /** The person's private chat unless told. */
  readonly in?: Place;
  readonly replyTo?: number;
  readonly isForwarded?: boolean;
  readonly album?: string;
  /** The text becomes its caption. */
  readonly file?: FileToSend;
  /** Other bots in the group that see it too. */
  readonly alsoTo?: readonly { readonly account: Account }[];
  /** Further fields of the message, or others in place of what it has. */
  readonly fields?: Params;
};

export type Said = {
  readonly update_id: number;
  readonly message_id: number;
  readonly chat_id: number;
};

export const ann: Person = { id: 1001, name: "Ann", username: "ann" };

function wireUser(from: number | Person): Params {
  const person: Person =
    typeof from === "number" ? { ...(from === ann.id ? ann : {}), id: from } : from;
  const username = person.username === undefined ? {} : { username: person.username };
  const name = person.name ?? `User ${person.id}`;
  return { id: person.id, is_bot: person.isBot === true, first_name: name, ...username };
}

function chatFor(place: Place | undefined, user: Params): WireChat {
  const id = typeof place === "object" ? place.chat : (place ?? Number(user["id"]));
  if (id > 0) return { id, type: "private", first_name: String(user["first_name"]) };
  const forum = typeof place === "object" && place.topic !== undefined;
  const shape = { id, type: "supergroup", title: `Group ${-id}` } as const;
  return forum ? { ...shape, is_forum: true } : shape;
}

/** In a topic all messages answer something: if nothing else, the message that opened the topic. */
function threadFields(room: Room, place: Place | undefined): Params {
  const topic = typeof place === "object" ? place.topic : undefined;
  if (topic === undefined || topic === 1) return {};
  room.topics.add(topic);
  const opening = { forum_topic_created: { name: `Topic ${topic}`, icon_color: 7322096 } };
  const root = {
    message_id: topic,
    date: 0,
    chat: room.chat,
    ...opening,
    message_thread_id: topic,
  };
  return { message_thread_id: topic, is_topic_message: true, reply_to_message: root };
}

const commandOrMention = /(?<![\w/@])(?:\/[A-Za-z0-9_]{1,32}(?:@\w{3,32})?|@\w{3,32})/g;

function entitiesIn(text: string): readonly Params[] {
  return [...text.matchAll(commandOrMention)].map((found) => {
    const type = found[0].startsWith("/") ? "bot_command" : "mention";
    return { type, offset: found.index, length: found[0].length };
  });
}

function textFields(text: string, isCaption: boolean): Params {
  if (text === "") return {};
  const entities = entitiesIn(text);
  const [body, marks] = isCaption ? ["caption", "caption_entities"] : ["text", "entities"];
  return { [body]: text, ...(entities.length === 0 ? {} : { [marks]: entities }) };
}

function hold(account: Account, file: FileToSend): Params {
  const { bytes } = file;
  const id = `${file.kind}-${account.files.size + 1}`;
  const size = file.saysSize ?? (typeof bytes === "function" ? undefined : bytes.length);
  const held: HeldFile = {
    path: file.path ?? `${file.kind}s/file_${account.files.size + 1}`,
    size,
    length: typeof bytes === "function" ? undefined : bytes.length,
    bytes: typeof bytes === "function" ? bytes : () => [bytes],
  };
  account.files.set(id, held);
  return {
    file_id: id,
    file_unique_id: id,
    ...(size === undefined ? {} : { file_size: size }),
    ...(file.name === undefined ? {} : { file_name: file.name }),
    ...(file.type === undefined ? {} : { mime_type: file.type }),
  };
}

function fileFields(account: Account, file: FileToSend | undefined): Params {
  if (file === undefined) return {};
  const wire = hold(account, file);
  if (file.kind !== "photo") return { [file.kind]: { duration: 1, ...wire } };
  const small = { ...wire, file_id: `${String(wire["file_id"])}-small`, width: 90, height: 60 };
  return {
    photo: [
      { ...small, file_size: 100 },
      { ...wire, width: 900, height: 600 },
    ],
  };
}

function replyFields(room: Room, replyTo: number | undefined): Params {
  if (replyTo === undefined) return {};
  const found = room.messages.get(replyTo);
  if (found === undefined) throw new Error(`There is no message ${replyTo} in ${room.chat.id}.`);
  return { reply_to_message: { ...found, reply_to_message: undefined } };
}

/** Without an update where the bot does not ask for its kind. */
function push(account: Account, fields: Params): number {
  return account.updates.push(fields)?.update_id ?? 0;
}

const copyOf = (message: WireMessage): WireMessage => structuredClone(message);

export function say(account: Account, text: string, options: SayOptions = {}): Said {
  const user = wireUser(options.from ?? ann);
  const room = account.world.meet(account.id, chatFor(options.in, user));
  const origin = { type: "hidden_user", sender_user_name: "Somebody", date: 1 };
  const message = account.world.write(room, {
    from: user,
    ...threadFields(room, options.in),
    ...replyFields(room, options.replyTo),
    ...fileFields(account, options.file),
    ...textFields(text, options.file !== undefined),
    ...(options.isForwarded === true ? { forward_origin: origin } : {}),
    ...(options.album === undefined ? {} : { media_group_id: options.album }),
    ...options.fields,
  });
  for (const other of options.alsoTo ?? []) {
    other.account.world.meet(other.account.id, room.chat);
    push(other.account, { message: copyOf(message) });
  }
  const updateId = push(account, { message: copyOf(message) });
  return { update_id: updateId, message_id: message.message_id, chat_id: room.chat.id };
}

export function changeSaid(account: Account, said: Said, text: string): Said {
  const message = account.world.find(account.id, said.chat_id)?.messages.get(said.message_id);
  if (message === undefined) throw new Error(`There is no message ${said.message_id}.`);
  const isCaption = "caption" in message;
  for (const field of ["entities", "caption_entities"]) delete message[field];
  Object.assign(message, textFields(text, isCaption), { edit_date: Math.floor(Date.now() / 1000) });
  return { ...said, update_id: push(account, { edited_message: copyOf(message) }) };
}

export type Tap = { readonly update_id: number; readonly tap_id: string };

export type TapOptions = {
  readonly from?: number | Person;
  /** What comes back in place of the button's data. */
  readonly data?: string;
};

let taps = 0;

/** @param label of the button, or a part of it */
export function tap(
  account: Account,
  message: BotMessage,
  label: string,
  options: TapOptions = {},
): Tap {
  const buttons = message.buttons.flat();
  const button = buttons.find((one) => one.label.includes(label));
  const data = options.data ?? button?.data;
  if (data === undefined)
    throw new Error(`No button says "${label}": ${buttons.map((one) => one.label).join(", ")}.`);
  const wire = account.world.find(account.id, message.chat_id)?.messages.get(message.message_id);
  taps += 1;
  const tapId = `${account.id}${String(taps).padStart(6, "0")}`;
  account.openTaps.add(tapId);
  const gone = { chat: { id: message.chat_id }, message_id: message.message_id, date: 0 };
  const updateId = push(account, {
    callback_query: {
      id: tapId,
      from: wireUser(options.from ?? ann),
      message: wire === undefined ? gone : copyOf(wire),
      chat_instance: "1",
      data,
    },
  });
  return { update_id: updateId, tap_id: tapId };
}

export function stopGeneration(account: Account, chatId: number, draftId: number): number {
  const room = account.world.find(account.id, chatId);
  if (room === undefined) throw new Error(`The bot does not know the chat ${chatId}.`);
  return push(account, { stopped_message_generation: { chat: room.chat, draft_id: draftId } });
}

/** The group becomes a supergroup: another chat, as both chats are told. */
export function upgrade(account: Account, group: number, to: number): void {
  const former = account.world.meet(account.id, { id: group, type: "group" });
  const room = account.world.meet(account.id, { id: to, type: "supergroup" });
  const moved = account.world.write(former, { from: wireUser(ann), migrate_to_chat_id: to });
  const arrived = account.world.write(room, { from: wireUser(ann), migrate_from_chat_id: group });
  former.movedTo = to;
  for (const message of [moved, arrived]) push(account, { message: copyOf(message) });
}

export function react(
  account: Account,
  said: Said,
  emoji: string,
  from: number | Person = ann,
): number {
  const room = account.world.find(account.id, said.chat_id);
  return push(account, {
    message_reaction: {
      chat: room?.chat,
      message_id: said.message_id,
      user: wireUser(from),
      date: Math.floor(Date.now() / 1000),
      old_reaction: [],
      new_reaction: [{ type: "emoji", emoji }],
    },
  });
}

/** What the webhook answered to one update. */
export type Brought = {
  readonly update: Update;
  readonly status: number;
  readonly body: string;
};

export async function bringTo(
  target: { readonly url: string; readonly secret: string | undefined },
  update: Update,
): Promise<Brought> {
  const header =
    target.secret === undefined ? {} : { "x-telegram-bot-api-secret-token": target.secret };
  const response = await fetch(target.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...header },
    body: JSON.stringify(update),
  });
  return { update, status: response.status, body: await response.text() };
}
