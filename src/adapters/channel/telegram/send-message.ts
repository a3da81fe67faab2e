import { InputFile, type SendDocumentParams, type SendMessageParams } from "node-telegram-bot-api";
import type { SendCall } from "../../../ports/channel.ts";
import { AgentError } from "../../../schema/errors.ts";
import type { OutboundMessage, SentPart } from "../../../schema/outbound.ts";
import { asGone, sendAlsoAfterMove } from "./moved-group.ts";
import { renderBody, type RenderedPart } from "./rendering/render.ts";
import type { TelegramClient } from "./telegram-client.ts";
import { failure, isNotModified } from "./telegram-errors.ts";
import { sendPlaceOf } from "./telegram-place.ts";

/** What people keep: messages, and what takes their place. */

type Part = { readonly message: OutboundMessage; readonly part: number };

/** @param groups that are let in */
export function sendPart(
  client: TelegramClient,
  { message, part, groups }: Part & { readonly groups: readonly string[] },
  call: SendCall,
): Promise<SentPart> {
  return sendAlsoAfterMove(message, groups, (one) =>
    sendRendered(client, { message: one, part }, call),
  );
}

async function sendRendered(
  client: TelegramClient,
  { message, part }: Part,
  { signal }: SendCall,
): Promise<SentPart> {
  const parts = renderBody(message.body);
  const rendered = parts[part];
  if (rendered === undefined)
    throw failure("channel.refused", `The message has ${parts.length} parts, and no part ${part}.`);
  const around = { ...sendPlaceOf(message.scope), ...frameOf(message, part, parts.length) };
  const document = documentOf(rendered);
  const asked = {
    method: document === undefined ? "sendMessage" : "sendDocument",
    isOnce: true,
    signal,
  };
  const sent = await asHtmlOrPlain(rendered, (words) =>
    client.send(asked, (api) =>
      document === undefined
        ? api.sendMessage({ ...around, ...withoutPreview, ...words }, signal)
        : api.sendDocument({ ...around, document, ...captionOf(words) }, signal),
    ),
  );
  return { message_id: numberOf(sent), parts: parts.length };
}

export async function editFirstPart(
  client: TelegramClient,
  { message, messageId }: { readonly message: OutboundMessage; readonly messageId: string },
  { signal }: SendCall,
): Promise<SentPart> {
  const parts = renderBody(message.body);
  const [rendered = { html: "", plain: "" }] = parts;
  const { chat_id } = sendPlaceOf(message.scope);
  const which = { chat_id, message_id: messageNumber(messageId), ...keyboardOf(message) };
  const asked = { method: "editMessageText", isOnce: false, signal };
  await asHtmlOrPlain(rendered, (words) =>
    client.send(asked, (api) =>
      api.editMessageText({ ...which, ...withoutPreview, ...words }, signal),
    ),
  ).catch(unlessItSaysSo);
  return { message_id: messageId, parts: parts.length };
}

/** An answer that names no message is none of Telegram's. */
function numberOf(sent: { readonly message_id?: unknown } | null): string {
  if (Number.isSafeInteger(sent?.message_id)) return String(sent?.message_id);
  throw failure("channel.answer_lost", "What answered is not Telegram: it names no message.");
}

const withoutPreview = { link_preview_options: { is_disabled: true } };

type Words = { readonly text: string; readonly parse_mode?: "HTML" };

const captionOf = ({ text, ...mode }: Words) => ({ caption: text, ...mode });

/** Telegram says what it does not take, and has then sent nothing: so the plain words can follow. */
async function asHtmlOrPlain<T>(
  { html, plain }: RenderedPart,
  say: (words: Words) => Promise<T>,
): Promise<T> {
  try {
    return await say({ text: html, parse_mode: "HTML" });
  } catch (error) {
    if (!isAbout(error, /can't parse entities|too[ _]long|ENTITY_/i)) throw error;
    return await say({ text: plain });
  }
}

function isAbout(error: unknown, words: RegExp): boolean {
  return (
    error instanceof AgentError && error.code === "channel.refused" && words.test(error.message)
  );
}

function unlessItSaysSo(error: unknown): void {
  if (!(error instanceof AgentError) || !isNotModified(error)) throw asGone(error);
}

function messageNumber(id: string): number {
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw failure("channel.refused", `"${id}" is no message of Telegram.`);
}

function documentOf({ document }: RenderedPart): InputFile | undefined {
  if (document === undefined) return undefined;
  const bytes = new TextEncoder().encode(document.text);
  return new InputFile(bytes, {
    filename: document.name,
    contentType: "text/plain; charset=utf-8",
  });
}

type Frame = Pick<SendMessageParams & SendDocumentParams, "reply_parameters" | "reply_markup">;

/** What is answered stands above the first part, what can be tapped below the last. */
function frameOf(message: OutboundMessage, part: number, count: number): Frame {
  const isFirst = part === 0;
  const isLast = part === count - 1;
  return { ...(isFirst ? replyOf(message) : {}), ...(isLast ? markupOf(message) : {}) };
}

function replyOf({ reply_to }: OutboundMessage): Frame {
  if (reply_to === null) return {};
  const message_id = messageNumber(reply_to);
  return { reply_parameters: { message_id, allow_sending_without_reply: true } };
}

function markupOf(message: OutboundMessage): Frame {
  if (message.buttons.length > 0 || !message.wants_reply) return keyboardOf(message);
  const selective = message.reply_to !== null;
  return { reply_markup: { force_reply: true, ...(selective ? { selective } : {}) } };
}

function keyboardOf({ buttons }: OutboundMessage) {
  if (buttons.length === 0) return {};
  const inline_keyboard = buttons.map((row) =>
    row.map(({ label, data }) => ({ text: label, callback_data: data })),
  );
  return { reply_markup: { inline_keyboard } };
}
