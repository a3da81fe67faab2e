import type { App } from "../app/app.ts";
import { type Conversation, keyOf } from "./conversation.ts";

/** Goes to the chat, with this conversation; what is not named is the usual one. */
export function openChat(app: App, conversation: Partial<Conversation>): void {
  app.go("chat", keyOf(conversation));
}
