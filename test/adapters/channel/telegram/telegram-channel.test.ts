import { describe, expect, it } from "vitest";
import { faults, manglers } from "../../../support/telegram-server.ts";
import { faultOf, never, token, useBotWorld } from "./bot-world.ts";

const world = useBotWorld();
const webhook = { url: "https://hive.example/telegram/tg_main", secret: "a-secret_of-16-chars" };

describe("opening", () => {
  it("says which bot it is, offers the commands and has updates asked for", async () => {
    const { bot } = world;
    bot.account.webhook = { url: "https://elsewhere.example", secret: undefined };
    const channel = world.channelWith();
    expect(channel.intake).toBe("polling");
    expect(await channel.open(never)).toEqual({ id: "7002", name: "statehive_bot" });
    expect(bot.webhook).toBeUndefined();
    const commands = bot.commands.map(({ command }) => command);
    expect(commands).toEqual(["new", "stop", "status", "approvals", "agent", "help"]);
  });

  it("T01: has Telegram bring updates with the secret where there is a webhook", async () => {
    const { bot } = world;
    const channel = world.channelWith({ webhook });
    expect(channel.intake).toBe("webhook");
    await channel.open(never);
    expect(bot.webhook).toEqual(webhook);
    expect(bot.callsOf("setWebhook")[0]?.params).toMatchObject({
      max_connections: "1",
      allowed_updates: expect.arrayContaining(["message_reaction", "stopped_message_generation"]),
    });
  });

  it("reads what was brought only once it knows its own name", async () => {
    const { bot } = world;
    const channel = world.channelWith({ webhook });
    bot.say("/new@statehive_bot", { in: -100 });
    const [update] = bot.unconfirmed;
    expect(channel.read(update)).toBeUndefined();
    await channel.open(never);
    expect(channel.read(update)?.what).toMatchObject({
      command: { name: "new" },
      is_addressed: true,
    });
    expect(channel.read("<html>")?.what).toMatchObject({ kind: "unreadable" });
  });

  it("opens also where Telegram takes no menu", async () => {
    world.bot.fail("setMyCommands", faults.rateLimited(3));
    expect(await world.channelWith().open(never)).toMatchObject({ id: "7002" });
  });

  it("asks nobody with what is no token", async () => {
    for (const wrong of ["", "7002", "7002:a b", `${token}\n`, `../${token}`]) {
      const fault = await faultOf(world.channelWith({ token: wrong }).open(never));
      expect(fault).toMatchObject({ code: "channel.unauthorized", retryable: false });
    }
    expect(world.bot.calls).toEqual([]);
  });
});

describe("receiving", () => {
  it("waits until something comes, and confirms it with the next call", async () => {
    const { bot, server } = world;
    const channel = world.channelWith({ pollSeconds: 10 });
    const waiting = channel.receive(null, never);
    await server.until(() => bot.isPolled);
    const { update_id } = bot.say("hello");
    const { updates, cursor } = await waiting;
    expect([updates.length, cursor]).toEqual([1, String(update_id + 1)]);
    expect(bot.unconfirmed).toHaveLength(1);
    bot.say("more");
    expect((await channel.receive(cursor, never)).updates).toHaveLength(1);
    expect(bot.unconfirmed).toHaveLength(1);
  });

  it("asks each time for the kinds that it wants, and once for its name", async () => {
    const { bot } = world;
    const channel = world.channelWith();
    await channel.receive(null, never);
    await channel.receive("5", never);
    const wanted = bot.callsOf("getUpdates").map(({ params }) => params["allowed_updates"]);
    expect(wanted[0]).toEqual([
      "message",
      "edited_message",
      "callback_query",
      "my_chat_member",
      "message_reaction",
      "stopped_message_generation",
    ]);
    expect(wanted[1]).toEqual(wanted[0]);
    expect(bot.callsOf("getMe")).toHaveLength(1);
  });

  it("T03: goes on after the last number, whatever the order, however far apart, how often", async () => {
    const { bot } = world;
    const channel = world.channelWith();
    const first = bot.say("1").update_id;
    bot.skipUpdateIds(10_000);
    const second = bot.say("2").update_id;
    bot.mangle((batch) => manglers.reversed(manglers.twice(batch)));
    const { updates, cursor } = await channel.receive(null, never);
    expect(updates.map((one) => one.update_id)).toEqual([second, second, first, first].map(String));
    expect(cursor).toBe(String(second + 1));
    bot.say("3");
    bot.mangle((batch) => [...batch, { update_id: first, message: {} }]);
    expect(await channel.receive(cursor, never)).toMatchObject({ cursor: String(second + 2) });
  });

  it("T03: follows numbers that begin anew far below: else the same would come for ever, and nothing after it", async () => {
    const { bot } = world;
    const channel = world.channelWith();
    bot.say("before");
    const { cursor: former } = await channel.receive(null, never);
    await channel.receive(former, never);
    bot.skipUpdateIds(-50_000_000);
    const { update_id } = bot.say("after a week");
    const { updates, cursor } = await channel.receive(former, never);
    expect([updates.length, cursor]).toEqual([1, String(update_id + 1)]);
    expect(await channel.receive(cursor, never)).toMatchObject({ updates: [], cursor });
    expect(bot.unconfirmed).toEqual([]);
  });

  it("T05: goes on after what it cannot read", async () => {
    const { bot } = world;
    const channel = world.channelWith();
    bot.post({ message: { text: "from nowhere" } });
    bot.post({ message: "what?" });
    const { update_id } = bot.say("still here");
    bot.mangle((batch) => ["junk", ...batch]);
    const { updates, cursor } = await channel.receive(null, never);
    expect(updates.map(({ what }) => what.kind)).toEqual([
      "unreadable",
      "unreadable",
      "unreadable",
      "message",
    ]);
    expect(cursor).toBe(String(update_id + 1));
  });

  it("takes a list without numbers, and what is no list, for no answer of Telegram's", async () => {
    const { bot } = world;
    const channel = world.channelWith();
    bot.say("hello");
    bot.mangle(() => [{ message: {} }]);
    expect(await faultOf(channel.receive(null, never))).toMatchObject({
      code: "channel.unreachable",
    });
    const body = JSON.stringify({ ok: true, result: { update_id: 1 } });
    bot.fail("getUpdates", { kind: "answer", status: 200, type: "application/json", body });
    expect(await faultOf(channel.receive(null, never))).toMatchObject({
      code: "channel.unreachable",
    });
  });

  it("asks no more than once a second where every answer comes at once and brings nothing new", async () => {
    const { bot } = world;
    const channel = world.channelWith({ pollSeconds: 10 });
    const { update_id } = bot.say("hello");
    const { cursor } = await channel.receive(null, never);
    for (const result of [[], [{ update_id }]]) {
      const body = JSON.stringify({ ok: true, result });
      bot.fail("getUpdates", { kind: "answer", status: 200, type: "application/json", body });
      const begun = performance.now();
      await channel.receive(cursor, never);
      expect(performance.now() - begun).toBeGreaterThan(950);
    }
  });

  it("takes in pieces what is too long to be read at once", async () => {
    const { bot } = world;
    const channel = world.channelWith();
    for (let number = 0; number < 20; number += 1) bot.say("long");
    const junk = "x".repeat(1024 * 1024);
    bot.mangle((batch) => batch.map((update) => ({ ...update, junk })), 2);
    expect(await faultOf(channel.receive(null, never))).toMatchObject({
      code: "channel.unreachable",
    });
    const { updates, cursor } = await channel.receive(null, never);
    expect(updates).toHaveLength(10);
    expect((await channel.receive(cursor, never)).updates).toHaveLength(10);
    expect(bot.callsOf("getUpdates").map(({ params }) => params["limit"])).toEqual([
      "100",
      "10",
      "100",
    ]);
  });

  it("asks again later where it is refused what cannot be asked otherwise", async () => {
    const { bot } = world;
    const channel = world.channelWith();
    const refusal = { ok: false, error_code: 403, description: "Forbidden: by the proxy" };
    const body = JSON.stringify(refusal);
    for (const method of ["getMe", "deleteWebhook", "getUpdates"]) {
      bot.fail(method, { kind: "answer", status: 403, type: "application/json", body });
      const ask = method === "getUpdates" ? channel.receive(null, never) : channel.open(never);
      expect(await faultOf(ask)).toMatchObject({
        code: "channel.unreachable",
        retryable: true,
        message: `Telegram answered 403 to ${method}: Forbidden: by the proxy`,
      });
    }
  });

  it("ends the poll when it is stopped", async () => {
    const { bot, server } = world;
    const stop = new AbortController();
    const fault = faultOf(world.channelWith({ pollSeconds: 10 }).receive(null, stop.signal));
    await server.until(() => bot.isPolled);
    stop.abort();
    expect(await fault).toMatchObject({ code: "activity.aborted" });
    await server.until(() => !bot.isPolled);
  });

  it("T07: says that somebody else receives, under a poll and under a webhook", async () => {
    const { bot, server } = world;
    const ours = world.channelWith({ pollSeconds: 10 });
    const fault = faultOf(ours.receive(null, never));
    await server.until(() => bot.isPolled);
    const theirs = world.channelWith({ pollSeconds: 10 }).receive(null, never);
    expect(await fault).toMatchObject({ code: "channel.conflict", retryable: false });
    bot.say("for them");
    await theirs;
    bot.account.webhook = { url: "https://elsewhere.example", secret: undefined };
    expect(await faultOf(ours.receive(null, never))).toMatchObject({ code: "channel.conflict" });
  });
});
