import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createTelegramChannel } from "../../../src/adapters/channel/telegram/telegram-channel.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { startLiveReplies } from "../../../src/app/channels/live/live-replies.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import { createChannelHive } from "../../support/channel-hive.ts";
import { heldModel } from "../../support/held-model.ts";
import { startTelegramServer } from "../../support/telegram-server.ts";

/** What a person sees in Telegram of one answer, from the reaction to the reply. */

async function chatting() {
  const server = await startTelegramServer();
  const token = "8101:live_token-A";
  const bot = server.bot(token);
  const channel = createTelegramChannel({ token, apiRoot: server.url, pollSeconds: 1 });
  const model = heldModel();
  const { engine, clock } = await createChannelHive({ provider: model.provider, over: channel });
  const stop = startLiveReplies({
    bus: createNewsBus(engine),
    engine,
    clock,
    channels: (id) => (id === "tg" ? channel : undefined),
    log: silentLog,
  });
  onTestFinished(async () => {
    stop();
    await channel.close();
    await engine.close(0);
    await server.close();
  });
  /** Calls take real time: the clock goes on until it has happened. */
  const passUntil = async (hasHappened: () => boolean) => {
    while (!hasHappened()) {
      await setImmediate();
      clock.advance(100);
    }
  };
  return { bot, model, passUntil };
}

it("sees in private a reaction, typing and a draft with the text so far, then the reply", async () => {
  const { bot, model, passUntil } = await chatting();
  const said = bot.say("hello");
  const asked = await model.next();
  const { params } = await bot.call("setMessageReaction");
  expect(params).toMatchObject({ chat_id: "1001", message_id: String(said.message_id) });
  await bot.call("sendChatAction");
  asked.writes("Some **bold");
  await passUntil(() => bot.drafts.length === 1);
  asked.writes("** and `code`");
  await passUntil(() => bot.drafts.length === 2);
  expect(bot.drafts.map(({ text }) => text)).toEqual(["Some **bold", "Some bold and code"]);
  asked.says("Some **bold** and `code`.");
  const reply = await bot.message("Some bold and code.");
  expect(reply.entities.map(({ type }) => type)).toEqual(["bold", "code"]);
  expect(bot.sent).toHaveLength(1);
});

it("sees in a group one message that grows, and becomes the reply", async () => {
  const { bot, model, passUntil } = await chatting();
  bot.say(`@${bot.username} hello`, { in: -100 });
  const asked = await model.next();
  asked.writes("One");
  await passUntil(() => bot.sent.length === 1);
  const preview = await bot.message("One");
  asked.writes(" two");
  await passUntil(() => bot.sent[0]?.text === "One two");
  asked.says("One two three.");
  const reply = await bot.message("One two three.");
  expect(reply.message_id).toBe(preview.message_id);
  expect(reply.versions.map(({ text }) => text)).toEqual(["One", "One two", "One two three."]);
  expect(bot.sent).toHaveLength(1);
});
