import { z } from "zod";
import { visibleText } from "../policy/visible-text.ts";
import { AgentError } from "../schema/errors.ts";
import { stopIfAborted } from "./abort.ts";
import { defineTool } from "./tool.ts";

const maxTextCharacters = 16_000;
const shownCharacters = 80;

function beginning(text: string): string {
  const shown = visibleText(text);
  return shown.length <= shownCharacters ? shown : `${shown.slice(0, shownCharacters)}…`;
}

/** An address is one word, so that a capability names it and nothing else. */
const word = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[!-~]+$/, "must be letters, digits and signs of ASCII without spaces");

export const messageSendTool = defineTool({
  name: "message_send",
  description: {
    what: "Sends a message to a person or a group over a channel such as Telegram.",
    usage:
      "`connector` is the configured bot, such as tg_main; `scope` is the conversation, a chat's number, or chat/topic. The message " +
      "goes out once, in its turn; the result says that it was taken over, not that it was read. A bot reaches only people who have " +
      "written to it, and groups that it is in.",
    examples: [
      {
        input: { connector: "tg_main", scope: "1001", text: "The backup is done." },
        means: "tells one person",
      },
      {
        input: { connector: "tg_main", scope: "-100123/7", text: "Build 12 is green." },
        means: "writes into topic 7 of a group",
      },
    ],
    notFor: "Not for the answer in this conversation: what you say is sent by itself.",
  },
  input: {
    connector: word(64).describe("The configured connector."),
    scope: word(256).describe("The conversation: chat, or chat/topic."),
    text: z.string().min(1).max(maxTextCharacters).describe("What is said, as plain text."),
  },
  risk: "guarded",
  recovery: "keyed",
  capabilities: ({ connector, scope }) => [`message.send:${connector}/${scope}`],
  summary: ({ connector, scope, text }) =>
    `Send a message to ${visibleText(`${connector}/${scope}`)}: ${beginning(text)}`,
  carries: ({ text }) => text,
  async run(message, { outbox, callKey, signal }) {
    stopIfAborted(signal);
    try {
      await outbox.post(message, callKey);
    } catch (thrown) {
      const isUnknown = thrown instanceof AgentError && thrown.code === "connector.not_found";
      throw isUnknown ? new AgentError("tool.failed", thrown.message) : thrown;
    }
    return `The message to ${message.connector}/${message.scope} was taken over and goes out in its turn.`;
  },
});
