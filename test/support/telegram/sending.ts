import type { Account, BotMessage, Version } from "./account.ts";
import { shownText } from "./html-text.ts";
import { markupIn, type Markup, wireMarkup } from "./markup.ts";
import {
  badRequest,
  numberIn,
  objectIn,
  type Params,
  Refusal,
  textIn,
  type Upload,
} from "./wire.ts";
import { type Room, threadIn, type WireMessage } from "./world.ts";

/** Methods that write, change and delete messages. */

export function roomIn(account: Account, params: Params): Room {
  const id = numberIn(params, "chat_id");
  if (id === undefined) throw badRequest("chat_id is empty");
  const room = account.world.find(account.id, id);
  if (room === undefined) throw badRequest("chat not found");
  if (room.movedTo !== undefined)
    throw new Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: room.movedTo,
    });
  if (room.isBlocked) throw new Refusal(403, "Forbidden: bot was blocked by the user");
  return room;
}

function repliedTo(room: Room, params: Params): WireMessage | undefined {
  const wanted = objectIn(params, "reply_parameters");
  if (wanted === undefined) return undefined;
  const found = room.messages.get(numberIn(wanted, "message_id") ?? 0);
  if (found === undefined && wanted["allow_sending_without_reply"] !== true)
    throw badRequest("message to be replied not found");
  return found;
}

const self = (account: Account) => ({
  id: account.id,
  is_bot: true,
  first_name: account.name,
  username: account.username,
});

type Written = {
  readonly version: Version;
  readonly markup: Markup;
  readonly document: BotMessage["document"];
  readonly fields: Params;
};

function write(account: Account, params: Params, written: Written): WireMessage {
  const room = roomIn(account, params);
  const thread = threadIn(room, numberIn(params, "message_thread_id"));
  const replied = repliedTo(room, params);
  const message = account.world.write(room, {
    from: self(account),
    ...thread,
    ...(replied === undefined
      ? {}
      : { reply_to_message: { ...replied, reply_to_message: undefined } }),
    ...written.fields,
    ...wireMarkup(written.version.buttons),
  });
  account.sent.push({
    ...written.version,
    message_id: message.message_id,
    chat_id: room.chat.id,
    thread_id: numberIn(thread, "message_thread_id"),
    reply_to: replied?.message_id,
    wants_reply: written.markup.wantsReply,
    document: written.document,
    versions: [written.version],
    is_deleted: false,
  });
  return message;
}

function versionIn(params: Params, markup: Markup, field: "text" | "caption"): Version {
  const source = textIn(params, field);
  const shown =
    field === "caption" && source === ""
      ? { text: "", entities: [] }
      : shownText(source, textIn(params, "parse_mode"));
  return { ...shown, source, buttons: markup.buttons, at: Date.now() };
}

export function sendMessage(account: Account, params: Params): unknown {
  const markup = markupIn(params);
  const version = versionIn(params, markup, "text");
  const fields = { text: version.text, entities: version.entities };
  return write(account, params, { version, markup, document: undefined, fields });
}

export function sendDocument(account: Account, params: Params): unknown {
  const upload = params["document"] as Upload | string | undefined;
  if (typeof upload !== "object") throw badRequest("there is no document in the request");
  if (upload.bytes.length === 0) throw badRequest("file must be non-empty");
  const markup = markupIn(params);
  const version = versionIn(params, markup, "caption");
  if (version.text.length > 1024) throw badRequest("message caption is too long");
  const document = { name: upload.name, text: Buffer.from(upload.bytes).toString("utf8") };
  const fileId = `document-${account.sent.length}`;
  const wire = { file_id: fileId, file_unique_id: fileId, file_name: upload.name };
  const fields = {
    document: { ...wire, mime_type: upload.type, file_size: upload.bytes.length },
    ...(version.text === "" ? {} : { caption: version.text, caption_entities: version.entities }),
  };
  return write(account, params, { version, markup, document, fields });
}

function ownMessage(account: Account, params: Params, action: string) {
  const room = roomIn(account, params);
  const id = numberIn(params, "message_id") ?? 0;
  const wire = room.messages.get(id);
  const index = account.sent.findLastIndex(
    (one) => one.chat_id === room.chat.id && one.message_id === id && !one.is_deleted,
  );
  const sent = account.sent[index];
  if (wire === undefined) throw badRequest(`message to ${action} not found`);
  if (sent === undefined)
    throw badRequest(`message can't be ${action === "edit" ? "edited" : "deleted for everyone"}`);
  return { room, wire, sent, keep: (now: BotMessage) => void account.sent.splice(index, 1, now) };
}

const lookOf = ({ text, entities, buttons }: Version) => JSON.stringify([text, entities, buttons]);

function edit(account: Account, params: Params, change: (now: Version, markup: Markup) => Version) {
  const { wire, sent, keep } = ownMessage(account, params, "edit");
  const version = change(sent, markupIn(params));
  if (lookOf(version) === lookOf(sent))
    throw badRequest(
      "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
    );
  keep({ ...sent, ...version, versions: [...sent.versions, version] });
  Object.assign(
    wire,
    { edit_date: Math.floor(Date.now() / 1000), reply_markup: undefined },
    { text: version.text, entities: version.entities },
    wireMarkup(version.buttons),
  );
  return wire;
}

export function editMessageText(account: Account, params: Params): unknown {
  return edit(account, params, (_, markup) => versionIn(params, markup, "text"));
}

export function editMessageReplyMarkup(account: Account, params: Params): unknown {
  return edit(account, params, ({ text, source, entities }, { buttons }) => {
    return { text, source, entities, buttons, at: Date.now() };
  });
}

export function deleteMessage(account: Account, params: Params): unknown {
  const { room, wire, sent, keep } = ownMessage(account, params, "delete");
  room.messages.delete(wire.message_id);
  keep({ ...sent, is_deleted: true });
  return true;
}

export function sendMessageDraft(account: Account, params: Params): unknown {
  const room = roomIn(account, params);
  if (room.chat.type !== "private") throw badRequest("chat must be private");
  const draftId = numberIn(params, "draft_id") ?? 0;
  if (draftId === 0) throw badRequest("draft_id must be non-zero");
  const source = textIn(params, "text");
  const { text } = source === "" ? { text: "" } : shownText(source, textIn(params, "parse_mode"));
  const canStop = String(params["can_stop"]) === "true";
  const at = Date.now();
  account.drafts.push({ chat_id: room.chat.id, draft_id: draftId, text, can_stop: canStop, at });
  return true;
}
