import { createHash } from "node:crypto";
import { z } from "zod";
import type { InboundUpdate, Sender } from "../../../../schema/inbound.ts";
import type { Self } from "./addressing.ts";
import { readMessage } from "./read-message.ts";
import { senderOf } from "./read-sender.ts";
import { conversationOf } from "../telegram-place.ts";
import {
  callbackQuery,
  message,
  otherUpdate,
  stoppedGeneration,
  type WireChat,
} from "./telegram-shapes.ts";

/** Telegram's updates in the words that every channel shares. */

type Read = Omit<InboundUpdate, "update_id">;

/** Asked for each time: what Telegram brings by itself leaves reactions out, and it keeps what was asked for last. */
export const allowedUpdates = [
  "message",
  "edited_message",
  "callback_query",
  "my_chat_member",
  "message_reaction",
  "stopped_message_generation",
] as const;

/** How the other kinds are called. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["my_chat_member", "membership"],
  ["chat_member", "membership"],
  ["message_reaction", "reaction"],
  ["message_reaction_count", "reaction"],
]);

const envelope = z.record(z.string(), z.unknown());
const updateNumber = z.int().nonnegative();

/** Never throws: what cannot be read is `unreadable`, and says why. */
export function readUpdate(raw: unknown, self: Self): InboundUpdate {
  const fields = envelope.safeParse(raw);
  if (!fields.success) return { update_id: nameless(raw), ...unreadable("It is no object.") };
  const { update_id, ...kinds } = fields.data;
  const number = updateNumber.safeParse(update_id);
  if (!number.success)
    return { update_id: nameless(raw), ...unreadable("Its update_id is no whole number.") };
  return { update_id: String(number.data), ...readKind(kinds, self) };
}

/** @returns undefined where it has none that could be confirmed */
export function updateNumberOf({ update_id }: InboundUpdate): number | undefined {
  return /^\d+$/.test(update_id) ? Number(update_id) : undefined;
}

function nameless(raw: unknown): string {
  const written = JSON.stringify(raw) ?? "";
  return `unnumbered-${createHash("sha256").update(written).digest("hex").slice(0, 16)}`;
}

function readKind(kinds: Readonly<Record<string, unknown>>, self: Self): Read {
  const kind = allowedUpdates.find((name) => name in kinds) ?? Object.keys(kinds)[0];
  if (kind === undefined) return unreadable("There is nothing in it.");
  const content = kinds[kind];
  switch (kind) {
    case "message":
      return reading(message, content, (read) => readMessage(read, "message", self));
    case "edited_message":
      return reading(message, content, (read) => readMessage(read, "edit", self));
    case "callback_query":
      return reading(callbackQuery, content, readTap);
    case "stopped_message_generation":
      return reading(stoppedGeneration, content, readStop);
    default:
      return readOther(kind, content);
  }
}

function reading<T>(shape: z.ZodType<T>, content: unknown, read: (value: T) => Read): Read {
  const parsed = shape.safeParse(content);
  if (parsed.success) return read(parsed.data);
  return { ...unreadable(faultsOf(parsed.error)), ...whoAndWhere(content) };
}

const mostReason = 500;

function faultsOf({ issues }: z.ZodError): string {
  const faults = issues.slice(0, 3).map((one) => `${one.path.join(".")}: ${one.message}`);
  return faults.join("; ").slice(0, mostReason);
}

function unreadable(reason: string): Read {
  return { conversation: null, sender: null, what: { kind: "unreadable", reason } };
}

type Tap = z.infer<typeof callbackQuery>;

/** A tap on what others sent through the bot has no message; a game has no data. */
function readTap({ id, from, message: tapped, data }: Tap): Read {
  const sender = senderOf(from);
  if (tapped === undefined || data === undefined)
    return { conversation: null, sender, what: { kind: "other", name: "callback_query" } };
  const message_id = String(tapped.message_id);
  const conversation = conversationOf(tapped.chat, tapped);
  return { conversation, sender, what: { kind: "button", message_id, data, tap_id: id } };
}

/** Nobody is named; but in a private chat there is one person, whose number is the chat's. */
function readStop({ chat, message_thread_id }: z.infer<typeof stoppedGeneration>): Read {
  const topic = { message_thread_id, is_topic_message: message_thread_id !== undefined };
  const sender = chat.type === "private" && chat.id > 0 ? personOf(chat) : null;
  return { conversation: conversationOf(chat, topic), sender, what: { kind: "stop" } };
}

function personOf({ id, first_name = "", last_name }: WireChat): Sender {
  return senderOf({ id, first_name, last_name, is_bot: false });
}

function readOther(kind: string, content: unknown): Read {
  const known = otherNames.get(kind) ?? (/^[a-z_]{1,64}$/.test(kind) ? kind : "unknown");
  return { ...whoAndWhere(content), what: { kind: "other", name: known } };
}

/** As much of it as can be read. */
function whoAndWhere(content: unknown): Pick<Read, "conversation" | "sender"> {
  const fields = envelope.safeParse(content);
  const { chat, from, user } = fields.success ? fields.data : {};
  const place = otherUpdate.shape.chat.safeParse(chat).data;
  const person = otherUpdate.shape.from.safeParse(from ?? user).data;
  return {
    conversation: place === undefined ? null : conversationOf(place),
    sender: person === undefined ? null : senderOf(person),
  };
}
