import type { Account } from "./account.ts";
import {
  deleteMessage,
  editMessageReplyMarkup,
  editMessageText,
  roomIn,
  sendDocument,
  sendMessage,
  sendMessageDraft,
} from "./sending.ts";
import { badRequest, isTrue, numberIn, type Params, Refusal, textIn } from "./wire.ts";

/** The methods of the Bot API that this fake has, by name. */

type Method = (account: Account, params: Params, whenGone: Promise<void>) => unknown;

const reactions = new Set(
  "👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 😡".split(
    " ",
  ),
);

const chatActions = new Set(
  "typing upload_photo record_video upload_video record_voice upload_voice upload_document choose_sticker find_location record_video_note upload_video_note".split(
    " ",
  ),
);

function getMe({ id, name, username }: Account): unknown {
  return {
    id,
    is_bot: true,
    first_name: name,
    username,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
  };
}

function getUpdates(account: Account, params: Params, whenGone: Promise<void>): unknown {
  if (account.webhook !== undefined)
    throw new Refusal(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  return account.updates.receive(params, whenGone);
}

function setWebhook(account: Account, params: Params): unknown {
  const url = textIn(params, "url");
  const secret = textIn(params, "secret_token");
  if (secret !== "" && !/^[A-Za-z0-9_-]{1,256}$/.test(secret))
    throw badRequest("secret token contains unallowed characters");
  account.updates.allow(params["allowed_updates"]);
  if (isTrue(params, "drop_pending_updates")) account.updates.drop();
  account.webhook = url === "" ? undefined : { url, secret: secret === "" ? undefined : secret };
  return true;
}

function deleteWebhook(account: Account, params: Params): unknown {
  if (isTrue(params, "drop_pending_updates")) account.updates.drop();
  account.webhook = undefined;
  return true;
}

function getWebhookInfo({ webhook, updates }: Account): unknown {
  return {
    url: webhook?.url ?? "",
    has_custom_certificate: false,
    pending_update_count: updates.waiting.length,
  };
}

function answerCallbackQuery(account: Account, params: Params): unknown {
  const id = textIn(params, "callback_query_id");
  const text = textIn(params, "text");
  if (text.length > 200) throw badRequest("MESSAGE_TOO_LONG");
  if (!account.openTaps.delete(id))
    throw badRequest("query is too old and response timeout expired or query ID is invalid");
  account.tapAnswers.set(id, { text, at: Date.now() });
  return true;
}

function setMessageReaction(account: Account, params: Params): unknown {
  const room = roomIn(account, params);
  if (!room.messages.has(numberIn(params, "message_id") ?? 0))
    throw badRequest("message to react not found");
  const wanted = (params["reaction"] ?? []) as readonly Params[];
  if (wanted.some(({ emoji }) => !reactions.has(String(emoji))))
    throw badRequest("REACTION_INVALID");
  return true;
}

function sendChatAction(account: Account, params: Params): unknown {
  const room = roomIn(account, params);
  const thread = numberIn(params, "message_thread_id");
  if (thread !== undefined && thread !== 1 && !room.topics.has(thread))
    throw badRequest("message thread not found");
  if (!chatActions.has(textIn(params, "action")))
    throw badRequest("wrong parameter action in request");
  return true;
}

function setMyCommands(account: Account, params: Params): unknown {
  const commands = (params["commands"] ?? []) as Account["commands"];
  for (const { command, description } of commands) {
    if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest("BOT_COMMAND_INVALID");
    if (description.length < 1 || description.length > 256)
      throw badRequest("BOT_COMMAND_DESCRIPTION_INVALID");
  }
  account.commands = commands;
  return true;
}

const mostFileBytes = 20 * 1024 * 1024;

function getFile(account: Account, params: Params): unknown {
  const id = textIn(params, "file_id");
  const file = account.files.get(id);
  if (file === undefined) throw badRequest("wrong file_id or the file is temporarily unavailable");
  if ((file.size ?? 0) > mostFileBytes) throw badRequest("file is too big");
  const size = file.size === undefined ? {} : { file_size: file.size };
  return { file_id: id, file_unique_id: id, ...size, file_path: file.path };
}

export const methods: Readonly<Record<string, Method>> = {
  getme: getMe,
  getupdates: getUpdates,
  setwebhook: setWebhook,
  deletewebhook: deleteWebhook,
  getwebhookinfo: getWebhookInfo,
  sendmessage: sendMessage,
  senddocument: sendDocument,
  sendmessagedraft: sendMessageDraft,
  editmessagetext: editMessageText,
  editmessagereplymarkup: editMessageReplyMarkup,
  deletemessage: deleteMessage,
  answercallbackquery: answerCallbackQuery,
  setmessagereaction: setMessageReaction,
  sendchataction: sendChatAction,
  setmycommands: setMyCommands,
  getfile: getFile,
};
