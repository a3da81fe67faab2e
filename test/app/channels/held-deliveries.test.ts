import { writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connectorAddress } from "../../../src/actors/channel/channels.ts";
import { dueIn } from "../../../src/actors/channel/sending/announce.ts";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createMemoryStore } from "../../../src/adapters/engine/memory-store.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { openConnections } from "../../../src/app/channels/connections.ts";
import { loadOrThrow } from "../../../src/app/config/live-config.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import { startRoot } from "../../../src/app/root.ts";
import { deliveryTable } from "../../../src/schema/rows/channel-rows.ts";
import { homeWith } from "../../config/homes.ts";
import { createTestHive } from "../../support/hive.ts";
import { type FakeBot, faults, startTelegramServer } from "../../support/telegram-server.ts";

/** What waits to be tried again, over a bot that is configured in a home. Time stands still but where it is said to pass. */

const token = "8401:holding_token";

type Place = { readonly bot: FakeBot; readonly home: string; letIn(group: number): void };

async function configured(): Promise<Place> {
  const server = await startTelegramServer();
  onTestFinished(() => server.close());
  const main = (group: number) =>
    `engine: { type: memory }\nconnectors:\n  - { id: tg, type: telegram, token: env:TOKEN, api_root: "${server.url}", allow_users: [1001], groups: [${group}] }\n`;
  const home = homeWith({ "config/main.yaml": main(-100) });
  const letIn = (group: number) => writeFileSync(join(home, "config/main.yaml"), main(group));
  return { bot: server.bot(token), home, letIn };
}

async function live(home: string, store = createMemoryStore({ tables: allTables })) {
  const simulated = createSimulatedClock(100_000_000);
  let setBackMs = 0;
  const clock = { ...simulated, now: () => simulated.now() - setBackMs };
  const env = { TOKEN: token };
  let loaded = loadOrThrow(home, env);
  const config = {
    now: () => loaded.config,
    connectorSecrets: (id: string) => loaded.secrets().connectors.get(id),
  };
  const connections = await openConnections({ live: config, clock, log: silentLog });
  const { engine } = await createTestHive({ clock, store, channels: connections.channels });
  const end = async () => {
    await connections.close();
    await engine.close(0);
  };
  onTestFinished(end);
  await startRoot(engine);
  const begun = { startedAt: clock.now(), wasCrash: false };
  await connections.start(engine, createNewsBus(engine), begun);
  const say = (scope: string) => {
    const { to, event } = dueIn("tg", scope, { kind: "notice", text: "hello" });
    return engine.send(to, event, { origin: "api" });
  };
  const isHeld = async (code: string) => {
    const pending = { index: "by_state", equals: ["pending"] };
    const held = await engine.read.select(deliveryTable, pending);
    return held.some(({ error }) => error?.code === code);
  };
  const reaches = async (state: string) => {
    while ((await engine.get(connectorAddress("tg")))?.state !== state) await setImmediate();
  };
  return {
    store,
    end,
    reaches,
    hold: async (scope: string, code: string) => {
      await say(scope);
      while (!(await isHeld(code))) await setImmediate();
    },
    reload: async () => {
      loaded = loadOrThrow(home, env);
      await connections.renew(engine);
    },
    pass: (ms: number) => simulated.advance(ms),
    setBack: (ms: number) => {
      setBackMs += ms;
    },
  };
}

it("sends what a moved group holds back as soon as its new number is let in", async () => {
  const { bot, home, letIn } = await configured();
  const { hold, reload } = await live(home);
  bot.upgrade(-100, -1009);
  await hold("-100", "channel.moved");
  letIn(-1009);
  await reload();
  await bot.until(() => bot.sentTo(-1009).length > 0);
  expect(bot.sentTo(-1009)).toMatchObject([{ text: "hello" }]);
});

it("sends at its start what was held back before, but waits where Telegram said how long", async () => {
  const { bot, home } = await configured();
  bot.meet(1001);
  const first = await live(home);
  bot.fail("sendMessage", faults.serverError);
  await first.hold("1001", "channel.unreachable");
  bot.fail("sendMessage", faults.rateLimited(30));
  await first.hold("1002", "channel.rate_limited");
  await first.end();
  await live(home, first.store.crash());
  await bot.until(() => bot.sentTo(1001).length === 1);
  expect(bot.callsOf("sendMessage")).toHaveLength(3);
});

it("neither stays silent nor deaf for as long as the clock was set back", async () => {
  const { bot, home } = await configured();
  bot.meet(1001);
  bot.fail("getUpdates", faults.serverError);
  const { hold, pass, setBack, reaches } = await live(home);
  bot.fail("sendMessage", faults.serverError);
  await hold("1001", "channel.unreachable");
  await reaches("backing_off");
  setBack(7_200_000);
  pass(60_000);
  await reaches("polling");
  await bot.until(() => bot.sentTo(1001).length > 0);
  expect(bot.sentTo(1001)).toMatchObject([{ text: "hello" }]);
});
