import { z } from "zod";
import {
  baseUrl,
  configId,
  httpUrl,
  httpsUrl,
  secretReference,
  textOfForm,
} from "./config-forms.ts";

/** The shape of `connectors` in config/main.yaml: ways to the agents from outside. */

const mostDigits = 999_999_999_999_999;

const telegramUserId = z
  .int()
  .min(1)
  .max(mostDigits)
  .meta({ title: "a Telegram user's id, a whole number of at most 15 digits" });

const telegramGroupId = z
  .int()
  .min(-mostDigits)
  .max(-1)
  .meta({ title: "a Telegram group's id, a whole number of at most 15 digits behind a -" });

/** No space, nothing invisible and no letter that only looks like another: an approver is known by it. */
export const webhookUserId = textOfForm(
  "a user's id: 1 to 128 letters, digits and signs of ASCII, no spaces",
  /^[!-~]{1,128}$/,
);

/** As a user's; the slash stands between a conversation and its topic. */
export const webhookConversationId = textOfForm(
  "a conversation's id: 1 to 128 letters, digits and signs of ASCII, no spaces and no slash",
  /^[!-.0-~]{1,128}$/,
);

const id = configId.describe("Name of the connector, unique; not `local`.");
const enabled = z.boolean().default(true).describe("A disabled connector is not run.");

function people<T extends z.ZodNumber | z.ZodString>(one: T, meaning: string) {
  return z.array(one).max(10_000).default([]).describe(meaning);
}

const whoMayWrite = "The users who may write, in private and in these groups.";
const whoMayApprove =
  "The users who may decide about what agents ask; to write, they must be among `allow_users` too.";

function pairing(usually: boolean) {
  return z
    .boolean()
    .default(usually)
    .describe(
      "Whether a stranger who writes in private is given a code, with which you let them in (`statehive pair approve CODE`), in private alone; false: strangers hear nothing.",
    );
}

const agents = z
  .array(configId)
  .max(64)
  .default([])
  .describe(
    "The agents that a person may choose in a conversation, instead of the one that routing.yaml leads to.",
  );

const webhookSecret = secretReference.describe(
  "What who calls proves itself with, as `env:NAME` or `file:PATH`: 16 to 256 letters, digits, _ and -; another one for each connector.",
);

const telegramWebhook = z
  .strictObject({
    url: httpsUrl.describe(
      "The public address that Telegram calls; it must lead to `/telegram/<id>` of the listener `http`.",
    ),
    secret: webhookSecret,
  })
  .nullable()
  .default(null)
  .describe("How Telegram brings updates by itself; null: they are asked for (long polling).");

const telegramConnector = z.strictObject({
  id,
  type: z.literal("telegram").describe("A Telegram bot."),
  enabled,
  token: secretReference.describe("The bot's token, as `env:NAME` or `file:PATH`."),
  api_root: baseUrl
    .default("https://api.telegram.org")
    .describe("The Bot API's server, without the token."),
  allow_users: people(telegramUserId, whoMayWrite),
  approvers: people(telegramUserId, whoMayApprove),
  groups: people(telegramGroupId, "The groups in which the bot takes part."),
  pairing: pairing(true),
  agents,
  webhook: telegramWebhook,
});

const webhookConnector = z.strictObject({
  id,
  type: z
    .literal("webhook")
    .describe("Any program: it posts messages to `/webhook/<id>`, and is posted the answers."),
  enabled,
  secret: webhookSecret,
  callback_url: httpUrl.describe("Where messages for people are posted to."),
  callback_secret: secretReference
    .nullable()
    .default(null)
    .describe("What the callback is called with, as its bearer token; null: none."),
  live: z
    .boolean()
    .default(false)
    .describe("Whether the callback is also told what happens meanwhile: seen, typing, drafts."),
  allow_users: people(webhookUserId, whoMayWrite),
  approvers: people(webhookUserId, whoMayApprove),
  groups: people(webhookConversationId, "The groups in which messages are taken."),
  pairing: pairing(false),
  agents,
});

export const connectors = z
  .array(z.discriminatedUnion("type", [telegramConnector, webhookConnector]))
  .max(64)
  .default([])
  .describe("Where people reach the agents from outside.");

const ipAddress = "an IP address, such as 127.0.0.1, 0.0.0.0 or ::1";

export const http = z
  .strictObject({
    host: z
      .string()
      .regex(/^[0-9A-Fa-f:.]{2,45}$/, { error: ipAddress, abort: true })
      .refine(isIpAddress, { error: ipAddress })
      .meta({ title: ipAddress })
      .default("127.0.0.1")
      .describe(
        "The address that is listened at. It speaks plain HTTP: what comes from the internet comes through a proxy that ends TLS.",
      ),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .nullable()
      .default(null)
      .describe(
        "The port; 0: any that is free, which the log names. A connector that is called by others needs it; null where none is.",
      ),
  })
  .prefault({})
  .describe("The listener for connectors that are called by others.");

function isIpAddress(value: string): boolean {
  return z.ipv4().safeParse(value).success || z.ipv6().safeParse(value).success;
}
