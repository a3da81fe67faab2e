import { z } from "zod";
import { attachment, inboundMessage, inboundPlace } from "../inbound.ts";

export const missedReasons = [
  "too_large",
  "too_many",
  "too_much_together",
  "refused",
  "unreachable",
  "not_kept",
  "cancelled",
] as const;

/** A file that a person sent, on its way into the agent's workspace. `bytes` and `media_type` are right once it is kept. */
const sentFile = z.strictObject({
  ...attachment.shape,
  /** Where it is kept, below the workspace. */
  path: z.string(),
  state: z.enum(["awaited", "kept", "missed"]),
  missed: z.enum(missedReasons).nullable(),
});

/** A message that waits for its files, or for those of the one before it. */
const waitingMessage = z.strictObject({
  place: inboundPlace,
  conversation: z.enum(["private", "group"]),
  said: inboundMessage,
  /** An album that more may belong to. */
  is_open: z.boolean(),
  files: z.array(sentFile),
});

export const downloadContext = z.strictObject({
  download_id: z.string(),
  connector_id: z.string(),
  scope: z.string(),
  user_scope: z.string(),
  /** In the order in which they came. */
  messages: z.array(waitingMessage),
  /** Messages, files and messages with something for the agent, so far. */
  taken: z.int().nonnegative(),
  numbered: z.int().nonnegative(),
  handed: z.int().nonnegative(),
});

export type MissedReason = (typeof missedReasons)[number];
export type SentFile = z.infer<typeof sentFile>;
export type WaitingMessage = z.infer<typeof waitingMessage>;
export type DownloadContext = z.infer<typeof downloadContext>;
