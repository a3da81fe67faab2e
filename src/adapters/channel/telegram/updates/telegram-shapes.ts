import { z } from "zod";

/** What is read of Telegram's updates: no more than is used, and of the message that is answered only what it says and brings. */

const id = z.int();
/** Half a character would be stored as something else. */
const text = z.string().transform((value) => value.replaceAll(/\p{Cs}/gu, "\ufffd"));

export const user = z.object({
  id: id.positive(),
  is_bot: z.boolean(),
  first_name: text.default(""),
  last_name: text.optional(),
});

export const chat = z.object({
  id,
  type: z.enum(["private", "group", "supergroup", "channel"]),
  is_forum: z.boolean().optional(),
  first_name: text.optional(),
  last_name: text.optional(),
});

/** Offsets count units of UTF-16, as strings here do. */
const entity = z.object({
  type: z.string(),
  offset: id,
  length: id,
  user: z.object({ id }).optional(),
});

const file = z.object({
  file_id: z.string().min(1).max(512),
  file_name: text.optional(),
  mime_type: text.optional(),
  file_size: id.nonnegative().optional(),
});

const photoSize = file.extend({ width: id.nonnegative(), height: id.nonnegative() });

const files = {
  photo: z.array(photoSize).min(1).max(50).optional(),
  voice: file.optional(),
  audio: file.optional(),
  video: file.optional(),
  video_note: file.optional(),
  document: file.optional(),
};

const isThere = z
  .unknown()
  .optional()
  .transform((value) => value !== undefined && value !== null);

/** Whose words they are, beside `from`. */
const authorship = {
  sender_chat: isThere,
  forward_origin: isThere,
  forward_date: isThere,
  is_automatic_forward: isThere,
  via_bot: isThere,
};

const answered = z.object({
  message_id: id.positive(),
  from: z.object({ id }).optional(),
  ...authorship,
  text: text.optional(),
  caption: text.optional(),
  ...files,
});

export const message = z.looseObject({
  message_id: id.positive(),
  chat,
  from: user.optional(),
  ...authorship,
  message_thread_id: id.positive().optional(),
  is_topic_message: z.boolean().optional(),
  reply_to_message: answered.optional(),
  /** The part of the answered message that the person picked. */
  quote: z.object({ text }).optional(),
  /** The group is a supergroup now, with this number. */
  migrate_to_chat_id: id.negative().optional(),
  media_group_id: z.string().min(1).max(128).optional(),
  text: text.optional(),
  entities: z.array(entity).default([]),
  caption: text.optional(),
  caption_entities: z.array(entity).default([]),
  ...files,
  sticker: z.object({ emoji: text.optional() }).optional(),
});

export const callbackQuery = z.object({
  id: z.string().min(1).max(128),
  from: user,
  /** A message that is gone has hardly more than this. */
  message: z
    .object({
      message_id: id.positive(),
      chat,
      message_thread_id: id.positive().optional(),
      is_topic_message: z.boolean().optional(),
    })
    .optional(),
  data: z.string().max(256).optional(),
});

export const stoppedGeneration = z.object({
  chat,
  message_thread_id: id.positive().optional(),
});

/** Of what is known, and nothing that an agent is told. */
export const otherUpdate = z.object({
  chat: chat.optional(),
  from: user.optional(),
  user: user.optional(),
});

export type WireUser = z.infer<typeof user>;
export type WireChat = z.infer<typeof chat>;
export type WireEntity = z.infer<typeof entity>;
export type WireFile = z.infer<typeof file>;
export type WireMessage = z.infer<typeof message>;
export type WireAuthorship = Pick<WireMessage, keyof typeof authorship>;
export type WireFiles = Pick<WireMessage, keyof typeof files>;
