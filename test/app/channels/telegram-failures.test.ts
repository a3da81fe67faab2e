import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { connectorAddress } from "../../../src/actors/channel/channels.ts";
import { createTelegramChannel } from "../../../src/adapters/channel/telegram/telegram-channel.ts";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createMemoryStore, type MemoryStore } from "../../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { deliveryTable } from "../../../src/schema/rows/channel-rows.ts";
import type { ConnectorContext } from "../../../src/schema/contexts/connector-context.ts";
import { type ChannelHive, createChannelHive } from "../../support/channel-hive.ts";
import { type FakeBot, faults, startTelegramServer } from "../../support/telegram-server.ts";

/** What goes wrong between a service and Telegram, and what people see of it: nothing, or one answer. */

const token = "8201:failing_token";

async function startBot(): Promise<{ readonly url: string; readonly bot: FakeBot }> {
  const server = await startTelegramServer();
  onTestFinished(() => server.close());
  return { url: server.url, bot: server.bot(token) };
}

type Life = ChannelHive & {
  readonly rows: MemoryStore;
  /** The connector's state, and what it remembers. */
  connector(): Promise<{ state: string | null; context: ConnectorContext }>;
  /** Goes on with the clock until it has happened. */
  passUntil(hasHappened: () => boolean | Promise<boolean>): Promise<void>;
  die(): Promise<void>;
};

async function live(
  url: string,
  {
    rows = createMemoryStore({ tables: allTables }),
    startAt = 10_000_000,
    pollSeconds = 50,
    groups = [] as readonly string[],
  } = {},
): Promise<Life> {
  const channel = createTelegramChannel({ token, apiRoot: url, pollSeconds, groups });
  const clock = createSimulatedClock(startAt);
  const hive = await createChannelHive({ over: channel, store: rows, clock });
  const { engine } = hive;
  const die = async () => {
    await channel.close();
    await engine.close(0);
  };
  onTestFinished(die);
  const connector = async () => {
    const actor = await engine.get(connectorAddress("tg"));
    return { state: actor?.state ?? null, context: actor?.context as ConnectorContext };
  };
  const passUntil = async (hasHappened: () => boolean | Promise<boolean>) => {
    const giveUpAt = performance.now() + 50_000;
    while (!(await hasHappened())) {
      if (performance.now() > giveUpAt) throw new Error("It has not happened.");
      await setImmediate();
      clock.advance(50);
    }
  };
  return { ...hive, rows, connector, passUntil, die };
}

it("answers a message once, whatever stands in Telegram's place when it is asked for messages", async () => {
  const { url, bot } = await startBot();
  const { passUntil, connector } = await live(url);
  await bot.call("getUpdates");
  const odd = [
    faults.badGatewayPage,
    faults.forbiddenPage,
    faults.okPage,
    faults.malformedJson,
    faults.reset,
    faults.answerDropped,
    faults.rateLimited(3),
    faults.conflict,
  ];
  for (const fault of odd) {
    bot.fail("getUpdates", fault);
    bot.say("wake up");
    bot.say("hello");
    const before = bot.sent.length;
    await passUntil(() => bot.sent.length === before + 2);
  }
  expect(bot.sent).toHaveLength(2 * odd.length);
  expect(bot.unconfirmed.length).toBeLessThanOrEqual(2);
  await passUntil(async () => (await connector()).state === "polling");
  expect((await connector()).context).toMatchObject({ failures: 0, conflicts: 0, error: null });
});

it("answers nothing twice when Telegram brings everything again after a restart", async () => {
  const { url, bot } = await startBot();
  const first = await live(url);
  const said = [bot.say("one"), bot.say("two"), bot.say("three")];
  await bot.until(() => bot.sent.length === 3);
  await first.die();
  for (const { update_id } of said) bot.again(update_id);
  const second = await live(url, { rows: first.rows.crash() });
  bot.say("four");
  await bot.message((message) => bot.sent.indexOf(message) === 3);
  await second.engine.settled();
  expect(bot.sent).toHaveLength(4);
});

it("gives up a reply that Telegram refuses for good, says so once, shows it as dead, and asks no more", async () => {
  const { url, bot } = await startBot();
  const first = await live(url);
  bot.fail("sendMessage", faults.refused(400, "Bad Request: message is too strange"));
  bot.say("hello");
  await bot.message("could not be sent");
  const [row] = await first.engine.read.select(deliveryTable, {
    index: "by_state",
    equals: ["dead"],
  });
  expect(row).toMatchObject({ kind: "reply", attempts: 1, error: { code: "channel.refused" } });
  await first.engine.settled();
  await first.die();
  const second = await live(url, { rows: first.rows.crash(), startAt: first.clock.now() });
  second.clock.advance(3_600_000);
  await second.engine.settled();
  expect(bot.callsOf("sendMessage")).toHaveLength(2);
});

it("takes a reply whose answer never came for unknown, and does not say it again by itself", async () => {
  const { url, bot } = await startBot();
  const first = await live(url);
  bot.fail("sendMessage", faults.answerHeld);
  bot.say("hello");
  await bot.until(() => bot.sent.length === 1);
  await first.die();
  const second = await live(url, { rows: first.rows.crash(), startAt: first.clock.now() });
  bot.say("and now?");
  await bot.until(() => bot.sent.length === 2);
  await second.engine.settled();
  const states = (await second.engine.read.select(deliveryTable, { index: "by_seq" })).map(
    ({ state }) => state,
  );
  expect(states.toSorted()).toEqual(["delivered", "unknown"]);
});

const pending = ({ engine }: Life) =>
  engine.read.select(deliveryTable, { index: "by_state", equals: ["pending"] });

it.each([
  ["forward", 3_600_000],
  ["back", -3_600_000],
])("answers what is said after the clock has jumped %s by an hour", async (_where, jump) => {
  const { url, bot } = await startBot();
  const first = await live(url);
  bot.say("before");
  await bot.until(() => bot.sent.length === 1);
  bot.fail("sendMessage", faults.serverError);
  bot.say("during");
  const retried = async () => (await pending(first)).some(({ attempts }) => attempts === 1);
  while (!(await retried())) await setImmediate();
  await first.die();
  const startAt = first.clock.now() + jump;
  const second = await live(url, { rows: first.rows.crash(), startAt });
  bot.say("after");
  await second.passUntil(async () => (await second.connector()).context.accepted === 3);
  second.clock.advance(3_610_000);
  await second.passUntil(() => bot.sent.length === 3);
  expect(bot.sent).toHaveLength(3);
  expect((await second.connector()).context.accepted).toBe(3);
});

it("keeps a reply for a group that becomes a supergroup until its new number is let in", async () => {
  const { url, bot } = await startBot();
  const first = await live(url);
  bot.meet(1001);
  bot.fail("sendMessage", faults.serverError);
  bot.say(`hello @${bot.username}`, { in: -100 });
  while ((await pending(first)).length === 0) await setImmediate();
  bot.upgrade(-100, -1009);
  const word = await bot.message("The group -100 of tg has the number -1009 now");
  expect(word.chat_id).toBe(1001);
  const isHeldBack = async () => (await pending(first))[0]?.error?.code === "channel.moved";
  await first.passUntil(isHeldBack);
  await first.die();
  const groups = ["-100", "-1009"];
  const startAt = first.clock.now();
  const second = await live(url, { rows: first.rows.crash(), startAt, groups });
  await second.passUntil(() => bot.sentTo(-1009).length > 0);
  expect(bot.sentTo(-1009)).toHaveLength(1);
  expect(await pending(second)).toEqual([]);
});
