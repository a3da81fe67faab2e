import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { connectorAddress } from "../../../src/actors/channel/channels.ts";
import { createTelegramChannel } from "../../../src/adapters/channel/telegram/telegram-channel.ts";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createChannelHive } from "../../support/channel-hive.ts";
import { startTelegramServer } from "../../support/telegram-server.ts";

/** Two services with the same token, as when somebody starts a second home with it. */

const token = "8301:one_for_two";

it("T07: lets the later of two services with the same token give way at last, and the first goes on", async () => {
  const server = await startTelegramServer();
  onTestFinished(() => server.close());
  const bot = server.bot(token);
  const start = async () => {
    const channel = createTelegramChannel({ token, apiRoot: server.url, pollSeconds: 50 });
    const clock = createSimulatedClock(10_000_000);
    const { engine } = await createChannelHive({ over: channel, clock });
    onTestFinished(async () => {
      await channel.close();
      await engine.close(0);
    });
    return { clock, state: async () => (await engine.get(connectorAddress("tg")))?.state };
  };
  const first = await start();
  bot.say("hello");
  await bot.until(() => bot.sent.length === 1 && bot.isPolled);
  const second = await start();
  const both = [first, second];
  const states = async () => Promise.all(both.map(({ state }) => state()));
  while (!(await states()).includes("stopped")) {
    for (let at = 0; at < 20; at += 1) await setImmediate();
    for (const { clock } of both) clock.advance(1_000);
  }
  expect(await states()).toEqual(["polling", "stopped"]);
  bot.say("and now?");
  await bot.until(() => bot.sent.length === 2);
});
