import { expect, it, onTestFinished } from "vitest";
import { type Channels, connectorAddress } from "../../../src/actors/channel/channels.ts";
import { dueIn } from "../../../src/actors/channel/sending/announce.ts";
import { createTelegramChannel } from "../../../src/adapters/channel/telegram/telegram-channel.ts";
import { createWebhookChannel } from "../../../src/adapters/channel/webhook/webhook-channel.ts";
import type { Channel } from "../../../src/ports/channel.ts";
import { callbackServer } from "../../support/callback-server.ts";
import { testSettings } from "../../support/channel-hive.ts";
import { createTestHive } from "../../support/hive.ts";
import { faults, startTelegramServer } from "../../support/telegram-server.ts";

const token = "8301:hanging_token";

async function startHive(open: Readonly<Record<string, Channel>>) {
  const channels: Channels = {
    get: (id) => open[id],
    settings: () => testSettings,
    sessions: () => ({ ttlMs: 1_800_000, queue: "follow_up" }),
  };
  const { engine } = await createTestHive({ channels });
  onTestFinished(async () => {
    await Promise.all(Object.values(open).map((channel) => channel.close()));
    await engine.close(0);
  });
  for (const [connector_id, { intake }] of Object.entries(open)) {
    const input = { connector_id, type: "telegram", intake };
    const create = { machine: "connector", input, supervisor: "system" };
    await engine.create(connectorAddress(connector_id), create);
  }
  const say = (id: string, scope: string) => {
    const { to, event } = dueIn(id, scope, { kind: "notice", text: "hello" });
    return engine.send(to, event, { origin: "api" });
  };
  return { say };
}

it("posts over one connector while all that another sends hangs", { timeout: 10_000 }, async () => {
  const server = await startTelegramServer();
  onTestFinished(() => server.close());
  const bot = server.bot(token);
  const callback = await callbackServer();
  bot.fail("sendMessage", faults.hang, Infinity);
  const { say } = await startHive({
    tg: createTelegramChannel({ token, apiRoot: server.url }),
    crm: createWebhookChannel({
      connectorId: "crm",
      callbackUrl: callback.url,
      callbackSecret: undefined,
      isLive: false,
    }),
  });
  for (let user = 1; user <= 20; user++) await say("tg", String(2000 + user));
  await bot.until(() => bot.callsOf("sendMessage").length >= 8);
  await say("crm", "customer");
  const post = await callback.message(({ connector }) => connector === "crm");
  expect(post.conversation).toEqual({ id: "customer" });
  expect(bot.sent).toEqual([]);
});
