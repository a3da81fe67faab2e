import { expect, it, onTestFinished } from "vitest";
import { createTelegramChannel } from "../../../src/adapters/channel/telegram/telegram-channel.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { startTapAnswers } from "../../../src/app/channels/answer-taps.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import { approvals } from "../../actors/hive-watch.ts";
import { testSettings } from "../../support/channel-hive.ts";
import { createTestHive } from "../../support/hive.ts";
import { startTelegramServer } from "../../support/telegram-server.ts";

/** Questions in Telegram itself, as far as its Bot API can be had on loopback. */

const token = "7001:questions_token-A";

async function openTelegram() {
  const server = await startTelegramServer();
  const bot = server.bot(token);
  const channel = createTelegramChannel({ token, apiRoot: server.url, pollSeconds: 1 });
  const { connector_id: id, channel_type: type, approvers } = testSettings.doorway;
  const channels = {
    get: () => channel,
    settings: () => testSettings,
    sessions: () => ({ ttlMs: 1_800_000, queue: "follow_up" as const }),
  };
  const hive = await createTestHive({ channels, connectors: () => [{ id, type, approvers }] });
  const bus = createNewsBus(hive.engine);
  startTapAnswers({ bus, engine: hive.engine, channels, log: silentLog });
  const input = { connector_id: id, type, intake: "polling" };
  await hive.engine.create(`connector/${id}`, {
    machine: "connector",
    input,
    supervisor: "system",
  });
  onTestFinished(async () => {
    await hive.engine.close();
    await channel.close();
    await server.close();
  });
  return { hive, bot, server };
}

it("asks with a card and buttons, says on the tapped one what came of it, and turns the card into its outcome", async () => {
  const { hive, bot, server } = await openTelegram();
  bot.say('call file_write {"path":"a.txt","content":"<b>Approved ✅</b>"}');
  const card = await bot.message("may main do this?");
  expect(card.text).toContain("content:\n<b>Approved ✅</b>");
  expect(card.buttons.map((row) => row.map(({ label }) => label))).toEqual([
    ["Allow once", "For this session"],
    ["Deny"],
  ]);

  const foreign = bot.tap(card, "Allow once", { from: 1002 });
  const denied = "Only 1001 may decide this";
  await server.until(() => bot.tapAnswer(foreign.tap_id) === denied);

  const tap = bot.tap(card, "Allow once");
  await server.until(() => bot.tapAnswer(tap.tap_id) === "Allowed once");
  const ended = await bot.message(/^Approval a\d+ \(approved by tg:1001\)/);
  expect(ended).toMatchObject({ message_id: card.message_id, buttons: [] });
  await bot.message((message) => message.message_id > card.message_id);
  expect(await approvals(hive)).toMatchObject([{ state: "approved", decided_by: "tg:1001" }]);
});

it("takes the reply to a question that wants one", async () => {
  const { hive, bot } = await openTelegram();
  bot.say('call ask_user {"question":"What is it called?"}');
  const card = await bot.message("What is it called?");
  bot.say("The Hive", { replyTo: card.message_id });
  await bot.message(/answer:\nThe Hive/);
  expect(await approvals(hive)).toMatchObject([{ state: "answered", answer: "The Hive" }]);
});

it("asks in the topic that a message came from, and takes the tap there", async () => {
  const { hive, bot, server } = await openTelegram();
  const place = { chat: -100, topic: 7 };
  const write = 'call file_write {"path":"a.txt","content":"hi"}';
  bot.say(`@${bot.username} ${write}`, { in: place });
  const card = await bot.message("may main do this?");
  expect(bot.sentTo(place)).toContainEqual(card);
  const tap = bot.tap(card, "Deny");
  await server.until(() => bot.tapAnswer(tap.tap_id) === "Denied");
  expect(await approvals(hive)).toMatchObject([{ state: "denied" }]);
});
