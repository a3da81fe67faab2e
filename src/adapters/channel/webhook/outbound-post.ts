import { createHash } from "node:crypto";
import type { Body, Button, OutboundMessage } from "../../../schema/outbound.ts";
import { conversationIn, type WebhookConversation } from "./conversation-scope.ts";

/** What is posted to a callback; docs/webhook.md says it to those who write one. */

export type MessagePost = {
  readonly event: "message" | "edit";
  readonly connector: string;
  /** The same for each attempt, and in the header `Idempotency-Key`. */
  readonly delivery: string;
  readonly message_id: string;
  readonly conversation: WebhookConversation;
  readonly part: number;
  readonly message: Body & {
    readonly buttons: readonly (readonly Button[])[];
    readonly reply_to: string | null;
    readonly wants_reply: boolean;
  };
};

type Posting = {
  readonly event: MessagePost["event"];
  readonly connector: string;
  readonly key: string;
  readonly messageId: string;
  readonly part: number;
};

export function messagePost(message: OutboundMessage, posting: Posting): MessagePost {
  const { scope, body, buttons, reply_to, wants_reply } = message;
  const { event, connector, key, messageId, part } = posting;
  return {
    event,
    connector,
    delivery: key,
    message_id: messageId,
    conversation: conversationIn(scope),
    part,
    message: { ...body, buttons, reply_to, wants_reply },
  };
}

/** We name what we send, so that a callback has nothing to answer: the same key is the same message. */
export function messageIdOf(key: string): string {
  return `m${createHash("sha256").update(key).digest("hex").slice(0, 24)}`;
}
