import { z } from "zod";

/** What comes in over a channel, in words that every channel shares. Adapters make these from what their service sends; all of
 *  it is a stranger's until the gateway has looked at it. */

/** A conversation's own name is `scope`: the chat, and the topic or thread in it, as `chat[/topic]`. */
const conversation = z.strictObject({
  kind: z.enum(["private", "group", "broadcast"]),
  chat: z.string().min(1).max(200),
  scope: z.string().min(1).max(256),
});

/** `id` never changes hands; `name` is for people and proves nothing. */
const sender = z.strictObject({
  id: z.string().min(1).max(200),
  name: z.string().max(200),
  is_bot: z.boolean(),
});

const attachmentKinds = ["photo", "voice", "audio", "video", "document"] as const;

/** A file that the channel keeps until it is fetched. `bytes` is what the sender's side says; null: it says nothing. */
export const attachment = z.strictObject({
  kind: z.enum(attachmentKinds),
  file_id: z.string().min(1).max(512),
  name: z.string().max(256).nullable(),
  media_type: z.string().max(128).nullable(),
  bytes: z.int().nonnegative().nullable(),
});

const message = {
  message_id: z.string().min(1).max(64),
  text: z.string(),
  /** `/stop now` is `{name: "stop", args: "now"}`; null also for a command to another bot. */
  command: z.strictObject({ name: z.string().max(64), args: z.string() }).nullable(),
  /** In a group: the bot is mentioned, replied to, or given a command by its name. */
  is_addressed: z.boolean(),
  /** Somebody else's words. */
  is_forwarded: z.boolean(),
  attachments: z.array(attachment).max(20),
  /** Messages with the same one were sent together. */
  album_id: z.string().max(128).nullable(),
  /** The message of ours, or of anybody, that it answers. */
  reply_to: z.string().max(64).nullable(),
  /** What that one says, where it is not ours, or the part of it that the person picked; no text: only its files, which are then among
   *  the attachments. `is_own`: the person sent it. */
  quoted: z.strictObject({ text: z.string(), is_own: z.boolean() }).nullable().default(null),
};

export const inboundMessage = z.strictObject({ kind: z.literal("message"), ...message });

const what = z.discriminatedUnion("kind", [
  inboundMessage,
  z.strictObject({ kind: z.literal("edit"), ...message }),
  /** A button of one of our messages was tapped; `tap_id` is what the channel wants answered. */
  z.strictObject({
    kind: z.literal("button"),
    message_id: z.string().min(1).max(64),
    data: z.string().max(256),
    tap_id: z.string().max(128),
  }),
  /** The channel's own button that ends an answer which is being written. */
  z.strictObject({ kind: z.literal("stop") }),
  /** The channel says that this group goes on as another chat. */
  z.strictObject({ kind: z.literal("moved"), to: z.string().min(1).max(200) }),
  /** Known, and nothing that an agent is told: `reaction`, `membership`. */
  z.strictObject({ kind: z.literal("other"), name: z.string().max(64) }),
  /** What the adapter could not read, and why. */
  z.strictObject({ kind: z.literal("unreadable"), reason: z.string().max(500) }),
]);

/** `update_id` is the channel's own number of it: the same one again is the same update. */
export const inboundUpdate = z.strictObject({
  update_id: z.string().min(1).max(128),
  conversation: conversation.nullable(),
  sender: sender.nullable(),
  what,
});

/** Where it comes from, who says it, whom it is for. */
export const inboundPlace = z.strictObject({
  channel_type: z.string(),
  connector_id: z.string(),
  conversation_scope: z.string(),
  user_scope: z.string(),
  trace_id: z.string(),
  agent_id: z.string(),
});

export type Attachment = z.infer<typeof attachment>;
export type InboundUpdate = z.infer<typeof inboundUpdate>;
export type InboundMessage = z.infer<typeof inboundMessage>;
export type InboundPlace = z.infer<typeof inboundPlace>;
export type InboundWhat = InboundUpdate["what"];
export type Conversation = z.infer<typeof conversation>;
export type Sender = z.infer<typeof sender>;
