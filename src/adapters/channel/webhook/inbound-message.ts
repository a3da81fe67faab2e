import { z } from "zod";
import { webhookConversationId, webhookUserId } from "../../../schema/config/config-connectors.ts";
import type { InboundUpdate, InboundWhat } from "../../../schema/inbound.ts";
import { describeFaults } from "../../../schema/input-faults.ts";
import { longestText } from "../../../schema/queue.ts";
import type { Reading } from "../http/intake-route.ts";
import { scopeOf } from "./conversation-scope.ts";

/** What is posted to a webhook connector: a message, or that a button of ours was tapped. */

const messageId = z.string().regex(/^[!-~]{1,64}$/, {
  error: "1 to 64 letters, digits and signs of ASCII, no spaces",
});

const posted = z
  .strictObject({
    /** The same again is the same message. */
    id: messageId,
    conversation: z.strictObject({
      kind: z.enum(["private", "group"]).default("private"),
      id: webhookConversationId,
      topic: webhookConversationId.optional(),
    }),
    user: z.strictObject({ id: webhookUserId, name: z.string().max(200).optional() }),
    text: z.string().min(1).max(longestText).optional(),
    /** Somebody else's words, which the person only passes on. */
    forwarded: z.boolean().default(false),
    reply_to: messageId.optional(),
    button: z
      .strictObject({
        message_id: messageId,
        data: z.string().min(1).max(256),
        tap_id: z.string().max(128).optional(),
      })
      .optional(),
  })
  .refine(({ text, button }) => (text === undefined) !== (button === undefined), {
    error: "either text or button must be there, not both",
  })
  .refine(({ forwarded, button }) => !forwarded || button === undefined, {
    error: "a button is tapped by the person, not forwarded",
  });

type Posted = z.infer<typeof posted>;

export function readPosted(body: Uint8Array): Reading {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return { kind: "unreadable", reason: "The body is not JSON in UTF-8." };
  }
  const read = posted.safeParse(value);
  if (read.success) return { kind: "updates", updates: [updateOf(read.data)] };
  const reason = describeFaults(read.error.issues, { whole: "the message" });
  return { kind: "unreadable", reason };
}

function updateOf(message: Posted): InboundUpdate {
  const { id, conversation, user } = message;
  const { kind, id: chat } = conversation;
  return {
    update_id: id,
    conversation: { kind, chat, scope: scopeOf(conversation) },
    sender: { id: user.id, name: user.name ?? user.id, is_bot: false },
    what: whatOf(message),
  };
}

function whatOf({ id, text = "", forwarded, reply_to, button }: Posted): InboundWhat {
  if (button !== undefined) {
    const { message_id, data, tap_id = id } = button;
    return { kind: "button", message_id, data, tap_id };
  }
  return {
    kind: "message",
    message_id: id,
    text,
    command: forwarded ? null : commandIn(text),
    /** What is not meant for the agent need not be posted. */
    is_addressed: true,
    is_forwarded: forwarded,
    attachments: [],
    album_id: null,
    reply_to: reply_to ?? null,
    quoted: null,
  };
}

function commandIn(text: string): { name: string; args: string } | null {
  const found = /^\/(?<name>[a-z0-9_]{1,64})(?:\s+(?<args>[^]*))?$/i.exec(text)?.groups;
  if (found === undefined) return null;
  return { name: (found["name"] ?? "").toLowerCase(), args: (found["args"] ?? "").trim() };
}
