import { createTelegramChannel } from "../../adapters/channel/telegram/telegram-channel.ts";
import { telegramIntake } from "../../adapters/channel/telegram/telegram-intake.ts";
import { createUnusableChannel } from "../../adapters/channel/unusable-channel.ts";
import { createWebhookChannel } from "../../adapters/channel/webhook/webhook-channel.ts";
import { webhookIntake } from "../../adapters/channel/webhook/webhook-intake.ts";
import type { ConnectorSecrets } from "../../config/connector-secrets.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ConnectorConfig, MadeChannel } from "./configured-channels.ts";

/** The channel of one connector, from its configuration and its secrets. */
export function makeChannel(
  connector: ConnectorConfig,
  secrets: ConnectorSecrets | undefined,
): MadeChannel {
  return connector.type === "telegram"
    ? makeTelegram(connector, secrets)
    : makeWebhook(connector, secrets);
}

type Telegram = Extract<ConnectorConfig, { readonly type: "telegram" }>;
type Webhook = Extract<ConnectorConfig, { readonly type: "webhook" }>;

function makeTelegram(
  { token: reference, api_root: apiRoot, webhook, groups: listed }: Telegram,
  secrets: ConnectorSecrets | undefined,
): MadeChannel {
  const { token, caller: secret } = secrets ?? {};
  if (token === undefined) return withoutToken(reference, webhook !== null);
  const groups = listed.map(String);
  if (webhook === null || secret === undefined) {
    return { channel: createTelegramChannel({ token, apiRoot, groups }) };
  }
  const { url } = webhook;
  const channel = createTelegramChannel({ token, apiRoot, groups, webhook: { url, secret } });
  return { channel, protocol: telegramIntake((body) => channel.read(body)) };
}

function withoutToken(reference: string, isWebhook: boolean): MadeChannel {
  const why = new AgentError(
    "channel.unauthorized",
    `There is no token: ${reference} is not set.`,
    {
      hint: "set it where the service starts, then restart it",
    },
  );
  return { channel: createUnusableChannel(isWebhook ? "webhook" : "polling", why) };
}

function makeWebhook(
  { id: connectorId, callback_url: callbackUrl, live: isLive }: Webhook,
  secrets: ConnectorSecrets | undefined,
): MadeChannel {
  const callbackSecret = secrets?.callback;
  const channel = createWebhookChannel({ connectorId, callbackUrl, callbackSecret, isLive });
  return { channel, protocol: webhookIntake };
}
