import type { Api } from "node-telegram-bot-api";
import type { LiveChannel, LivePlace } from "../../../ports/channel.ts";
import { AgentError } from "../../../schema/errors.ts";
import { createQuietChats } from "./quiet-chats.ts";
import { renderUnfinished } from "./rendering/render.ts";
import type { TelegramClient } from "./telegram-client.ts";
import { isNotModified } from "./telegram-errors.ts";
import { placeOf, sendPlaceOf } from "./telegram-place.ts";

/** What people see while something happens. A chat of which Telegram says that it is written to too often is left alone until it may be. */

export type LiveOptions = {
  /** Ends what still runs. */
  readonly closing: AbortSignal;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
};

const longestTapAnswer = 200;
const watching = { type: "emoji", emoji: "👀" };

export function createLiveTelegram(
  client: TelegramClient,
  { closing, now }: LiveOptions,
): LiveChannel {
  const quiet = createQuietChats(now);

  async function show<T>({ scope }: LivePlace, method: string, ask: (api: Api) => Promise<T>) {
    const [chat = ""] = scope.split("/");
    if (quiet.has(chat)) return undefined;
    try {
      return await client.show({ method, isOnce: false, signal: closing }, ask);
    } catch (error) {
      if (!(error instanceof AgentError)) return undefined;
      if (error.code === "channel.rate_limited") quiet.add(chat, error.retryAfterMs ?? 1000);
      return isNotModified(error) ? true : undefined;
    }
  }

  const isShown = async (...call: Parameters<typeof show>) => (await show(...call)) !== undefined;

  return {
    seen: (at) =>
      isShown(at, "setMessageReaction", async (api) => {
        const { chat_id } = placeOf(at.scope);
        const message_id = Number(at.messageId);
        return api.setMessageReaction({ chat_id, message_id, reaction: [watching] }, closing);
      }),
    typing: (at) =>
      isShown(at, "sendChatAction", async (api) =>
        api.sendChatAction({ ...placeOf(at.scope), action: "typing" }, closing),
      ),
    draft: async (at) =>
      hasDrafts(at) &&
      (await isShown(at, "sendMessageDraft", async (api) => {
        const draft = { draft_id: at.draft, can_stop: true, ...unfinished(at.text) };
        return api.sendMessageDraft({ ...sendPlaceOf(at.scope), ...draft }, closing);
      })),
    preview: async (at) => {
      const sent = await show(at, "sendMessage", async (api) =>
        api.sendMessage({ ...sendPlaceOf(at.scope), ...shownNow(at.text) }, closing),
      );
      return typeof sent === "object" ? String(sent.message_id) : undefined;
    },
    changePreview: (at) =>
      isShown(at, "editMessageText", async (api) => {
        const { chat_id } = placeOf(at.scope);
        const message_id = Number(at.messageId);
        return api.editMessageText({ chat_id, message_id, ...shownNow(at.text) }, closing);
      }),
    answerTap: (tapId, text) =>
      isShown({ scope: "" }, "answerCallbackQuery", async (api) =>
        api.answerCallbackQuery(
          { callback_query_id: tapId, text: text.slice(0, longestTapAnswer) },
          closing,
        ),
      ),
  };
}

/** Telegram has drafts in private chats, whose numbers are those of people. */
function hasDrafts({ scope }: LivePlace): boolean {
  return !scope.startsWith("-");
}

function shownNow(text: string) {
  const { html } = renderUnfinished(text);
  return { text: html, parse_mode: "HTML", link_preview_options: { is_disabled: true } };
}

/** A draft without a text says that there is thinking. */
function unfinished(text: string) {
  return text.trim() === "" ? {} : { text: renderUnfinished(text).html, parse_mode: "HTML" };
}
