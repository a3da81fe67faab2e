import type { InboundUpdate, InboundWhat } from "../../../../schema/inbound.ts";
import { type Addressed, readAddress, type Self, wordsOf } from "./addressing.ts";
import { attachmentsOf } from "./read-attachments.ts";
import { senderOf } from "./read-sender.ts";
import { conversationOf } from "../telegram-place.ts";
import { beginningOf } from "../../../../schema/text/cut-text.ts";
import type { WireAuthorship, WireMessage } from "./telegram-shapes.ts";

/** What a person wrote, or wrote anew. */

type Read = Omit<InboundUpdate, "update_id">;
type Said = Extract<InboundWhat, { readonly kind: "message" | "edit" }>;

/** Far more than Telegram lets anybody write: whoever sends this is not Telegram. */
const longestText = 32_768;
const longestQuote = 2_000;

/** What people send besides words and files. A message with nothing of it is a notice of Telegram's: somebody joined, a title changed. */
const furtherContents = [
  "animation",
  "checklist",
  "contact",
  "dice",
  "game",
  "live_photo",
  "location",
  "paid_media",
  "poll",
  "rich_message",
  "sticker",
  "story",
  "venue",
];

export function readMessage(message: WireMessage, kind: Said["kind"], self: Self): Read {
  const conversation = conversationOf(message.chat, message);
  /** Who speaks in the name of a group or a channel is nobody in particular. */
  const isPerson = message.from !== undefined && !message.sender_chat;
  const sender = isPerson && message.from !== undefined ? senderOf(message.from) : null;
  return { conversation, sender, what: whatOf(message, kind, self) };
}

function whatOf(message: WireMessage, kind: Said["kind"], self: Self): InboundWhat {
  const movedTo = message.migrate_to_chat_id;
  if (movedTo !== undefined) return { kind: "moved", to: String(movedTo) };
  const words = wordsOf(message);
  if (words.text.length > longestText)
    return {
      kind: "unreadable",
      reason: `Its text has ${words.text.length} characters; no message of Telegram's is so long.`,
    };
  const isSomething = words.text !== "" || attachmentsOf(message).length > 0;
  const isFurther = furtherContents.some((content) => message[content] !== undefined);
  /** A live location is an edit every few seconds. */
  if (!isSomething && (kind === "edit" || !isFurther))
    return { kind: "other", name: kind === "edit" ? "edited_message" : "notice" };
  const addressed = readAddress(words, self);
  const isForwarded = isOfOthers(message);
  return {
    kind,
    message_id: String(message.message_id),
    text: addressed.text,
    command: isForwarded ? null : addressed.command,
    is_addressed: isAddressed(message, addressed, self),
    is_forwarded: isForwarded,
    album_id: message.media_group_id ?? null,
    reply_to: answered(message)?.message_id.toString() ?? null,
    ...whatIsAnswered(message, self),
  };
}

/** Words that come through another bot are that bot's. */
function isOfOthers(words: WireAuthorship): boolean {
  const { forward_origin, forward_date, is_automatic_forward, via_bot } = words;
  return forward_origin || forward_date || is_automatic_forward || via_bot;
}

function isAddressed(message: WireMessage, { isNamed }: Addressed, self: Self): boolean {
  return message.chat.type === "private" || isNamed || answered(message)?.from?.id === self.id;
}

/** In a topic each message that answers nothing else answers the one that opened the topic. */
function answered(message: WireMessage): WireMessage["reply_to_message"] {
  const { reply_to_message: replied, is_topic_message: isInTopic, message_thread_id } = message;
  const isOpening = isInTopic === true && replied?.message_id === message_thread_id;
  return isOpening ? undefined : replied;
}

/** What the message answers, with its files where the message brings none of its own. Of ours only what the person picked: the agent
 *  knows what it said. */
function whatIsAnswered(message: WireMessage, self: Self): Pick<Said, "attachments" | "quoted"> {
  const replied = answered(message);
  const others = replied?.from?.id === self.id ? undefined : replied;
  const own = attachmentsOf(message);
  const theirs = own.length > 0 ? [] : attachmentsOf(others ?? {});
  const text = (message.quote?.text ?? saidIn(others)).trim();
  if (text === "" && theirs.length === 0) return { attachments: own, quoted: null };
  const quoted = { text: beginningOf(text, longestQuote), is_own: isOwn(message, replied) };
  return { attachments: [...own, ...theirs], quoted };
}

function saidIn(replied: WireMessage["reply_to_message"]): string {
  return replied?.text ?? replied?.caption ?? "";
}

function isOwn(message: WireMessage, replied: WireMessage["reply_to_message"]): boolean {
  if (replied === undefined || replied.sender_chat || message.sender_chat) return false;
  return replied.from?.id === message.from?.id && !isOfOthers(replied);
}
