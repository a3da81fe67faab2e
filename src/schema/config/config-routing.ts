import { z } from "zod";
import { configId } from "./config-forms.ts";

/** The shape of config/routing.yaml. */

const scope = z.string().min(1).max(256).nullable().default(null);

const match = z
  .strictObject({
    channel_type: z
      .enum(["local", "telegram", "webhook"])
      .nullable()
      .default(null)
      .describe("`local` is the chat of this machine; null: any."),
    connector_id: configId
      .nullable()
      .default(null)
      .describe("A connector of main.yaml, or `local`; null: any."),
    conversation_scope: scope.describe(
      'The conversation, such as a chat\'s number in quotes, "-100123"; null: any.',
    ),
    user_scope: scope.describe(
      'Who writes, such as a user\'s number in quotes, "1001"; null: anybody.',
    ),
  })
  .describe("What a message must come from; a key that is left out matches all.");

const binding = z.strictObject({
  match,
  agent: configId.describe("The agent that answers; it must be enabled."),
});

export const routingFile = z.strictObject({
  default_agent: configId
    .nullable()
    .default(null)
    .describe(
      "The agent that answers where nobody is named; null: `main`, or the first enabled one by file name.",
    ),
  bindings: z
    .array(binding)
    .max(1_000)
    .default([])
    .describe(
      "Which agent answers whom, where a message names none. Of those that match, the one with most keys decides; of equals, the first; without one, the default agent.",
    ),
});
