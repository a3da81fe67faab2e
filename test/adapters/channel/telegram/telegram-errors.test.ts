import { inspect } from "node:util";
import { NetworkError } from "node-telegram-bot-api";
import { expect, it } from "vitest";
import { toChannelError } from "../../../../src/adapters/channel/telegram/telegram-errors.ts";
import type { ErrorCode } from "../../../../src/schema/errors.ts";
import { plainMessage } from "../../../contracts/channel.contract.ts";
import { faults } from "../../../support/telegram-server.ts";
import type { Fault } from "../../../support/telegram/faults.ts";
import { faultOf, never, secret, sendCall, token, useBotWorld } from "./bot-world.ts";

const world = useBotWorld();

const json = (body: unknown): Fault => ({
  kind: "answer",
  status: 200,
  type: "application/json",
  body: JSON.stringify(body),
});

/** What goes wrong, what a send becomes, what a poll becomes, how often the message was sent. */
const rows: readonly [string, Fault, ErrorCode, ErrorCode, number][] = [
  ["429", faults.rateLimited(30), "channel.rate_limited", "channel.rate_limited", 0],
  ["500", faults.serverError, "channel.unreachable", "channel.unreachable", 0],
  ["401", faults.unauthorized, "channel.unauthorized", "channel.unauthorized", 0],
  ["404", faults.notFound, "channel.unauthorized", "channel.unauthorized", 0],
  ["409", faults.conflict, "channel.conflict", "channel.conflict", 0],
  ["a page 502", faults.badGatewayPage, "channel.answer_lost", "channel.unreachable", 0],
  ["a page 403", faults.forbiddenPage, "channel.answer_lost", "channel.unreachable", 0],
  ["a page 200", faults.okPage, "channel.answer_lost", "channel.unreachable", 0],
  ["half an answer", faults.malformedJson, "channel.answer_lost", "channel.unreachable", 0],
  ["null", json(null), "channel.answer_lost", "channel.unreachable", 0],
  ["other JSON", json({ message: "no" }), "channel.answer_lost", "channel.unreachable", 0],
  [
    "an empty result",
    json({ ok: true, result: {} }),
    "channel.answer_lost",
    "channel.unreachable",
    0,
  ],
  ["a reset", faults.reset, "channel.answer_lost", "channel.unreachable", 0],
  ["silence", faults.hang, "channel.answer_lost", "channel.unreachable", 0],
  ["no answer", faults.answerDropped, "channel.answer_lost", "channel.unreachable", 1],
  [
    "a page for an answer",
    faults.answerReplacedByPage,
    "channel.answer_lost",
    "channel.unreachable",
    1,
  ],
];

const mayRepeat: readonly ErrorCode[] = ["channel.rate_limited", "channel.unreachable"];

it.each(rows)("T07: knows what %s leaves to do", async (_, fault, onSend, onPoll, sent) => {
  const { bot } = world;
  bot.meet(1001);
  const isSilent = fault.kind === "hang" || fault.kind === "hold_answer";
  const channel = world.channelWith(isSilent ? { callTimeoutMs: 500 } : {});
  bot.fail("sendMessage", fault);
  const sending = await faultOf(channel.send(plainMessage("1001", "hello"), 0, sendCall));
  expect(sending).toMatchObject({ code: onSend, retryable: mayRepeat.includes(onSend) });
  expect(bot.sent).toHaveLength(sent);
  expect(bot.callsOf("sendMessage")).toHaveLength(1);
  bot.fail("getUpdates", fault);
  const polling = await faultOf(channel.receive(null, never));
  expect(polling).toMatchObject({ code: onPoll, retryable: mayRepeat.includes(onPoll) });
});

it("T07: waits as long as Telegram says, and no longer than a day", async () => {
  const { bot } = world;
  bot.meet(1001);
  const channel = world.channelWith();
  const waitAfter = async (seconds: number) => {
    bot.fail("sendMessage", faults.rateLimited(seconds));
    return (await faultOf(channel.send(plainMessage("1001", "a"), 0, sendCall))).retryAfterMs;
  };
  expect(await waitAfter(30)).toBe(30_000);
  expect(await waitAfter(0)).toBe(1000);
  expect(await waitAfter(1e12)).toBe(86_400_000);
});

it("says in Telegram's words what is refused for good", async () => {
  const { bot } = world;
  bot.meet(1001);
  bot.block(1001);
  const channel = world.channelWith();
  const blocked = await faultOf(channel.send(plainMessage("1001", "a"), 0, sendCall));
  expect(blocked).toMatchObject({ code: "channel.refused", retryable: false });
  expect(blocked.message).toBe(
    "Telegram answered 403 to sendMessage: Forbidden: bot was blocked by the user",
  );
  const stranger = await faultOf(channel.send(plainMessage("5", "a"), 0, sendCall));
  expect(stranger.message).toContain("400 to sendMessage: Bad Request: chat not found");
  const nowhere = await faultOf(channel.send(plainMessage("cli", "a"), 0, sendCall));
  expect(nowhere).toMatchObject({ code: "channel.refused" });
});

it("knows that nothing was sent where no connection was made", async () => {
  const { server, bot } = world;
  bot.meet(1001);
  await server.close();
  const channel = world.channelWith();
  const fault = await faultOf(channel.send(plainMessage("1001", "a"), 0, sendCall));
  expect(fault).toMatchObject({ code: "channel.unreachable", retryable: true });
  expect(fault.message).toBe("Telegram could not be reached: ECONNREFUSED.");
});

it.each([
  ["a name that nobody has", { code: "ENOTFOUND", syscall: "getaddrinfo" }, "channel.unreachable"],
  ["no way there", { code: "ENETUNREACH", syscall: "connect" }, "channel.unreachable"],
  ["a silent host", { code: "UND_ERR_CONNECT_TIMEOUT" }, "channel.unreachable"],
  ["a certificate of nobody", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "channel.unreachable"],
  ["an unknown issuer", { code: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY" }, "channel.unreachable"],
  ["another host's certificate", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }, "channel.unreachable"],
  [
    "several addresses",
    { code: "ETIMEDOUT", errors: [{ code: "ETIMEDOUT", syscall: "connect" }] },
    "channel.unreachable",
  ],
  [
    "a connection that was reset before",
    { code: "EPIPE", syscall: "write" },
    "channel.unreachable",
  ],
  ["a connection that broke off", { code: "ECONNRESET", syscall: "read" }, "channel.answer_lost"],
  ["a network that went away", { code: "ENETUNREACH", syscall: "write" }, "channel.answer_lost"],
  ["a socket that the other side closed", { code: "UND_ERR_SOCKET" }, "channel.answer_lost"],
  [
    "a broken record",
    { code: "ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC" },
    "channel.answer_lost",
  ],
  ["no reason", undefined, "channel.answer_lost"],
])("knows whether a message may have left, by what failed: %s", (_, cause, code) => {
  const failed = new TypeError("fetch failed", { cause });
  const thrown = new NetworkError("Network request failed: sendMessage", { cause: failed });
  const asked = { method: "sendMessage", isOnce: true, signal: never };
  expect(toChannelError(thrown, asked).code).toBe(code);
});

it("T09: follows nobody elsewhere with its token and what it says", async () => {
  const { bot, server } = world;
  bot.meet(1001);
  const elsewhere = server.bot("8001:elsewhere");
  const to = `${server.url}/bot${elsewhere.token}/sendMessage`;
  bot.fail("sendMessage", faults.redirect(to));
  const fault = await faultOf(world.channelWith().send(plainMessage("1001", "a"), 0, sendCall));
  expect(fault).toMatchObject({ code: "channel.answer_lost" });
  expect(elsewhere.calls).toEqual([]);
});

it("reads no answer without an end", async () => {
  const { bot } = world;
  bot.meet(1001);
  const body = `{"ok":true,"result":[${" ".repeat(17 * 1024 * 1024)}]}`;
  const endless: Fault = { kind: "answer", status: 200, type: "application/json", body };
  bot.fail("getUpdates", endless);
  const fault = await faultOf(world.channelWith().receive(null, never));
  expect(fault).toMatchObject({ code: "channel.unreachable" });
});

it("T09: never names the token: not in errors, not in the channel itself", async () => {
  const { bot, server } = world;
  bot.meet(1001);
  const channel = world.channelWith();
  const hasty = world.channelWith({ callTimeoutMs: 150 });
  const echo = `/bot${token}/x ${encodeURIComponent(token)} ${token.replace(":", "%3a")} ${secret}`;
  const echoed = faults.refused(400, `Bad Request: ${echo}`);
  const echoedLate = faults.refused(400, `${"x".repeat(430)}${token}`);
  const told: unknown[] = [channel, inspect(channel, { depth: 9, showHidden: true })];
  for (const fault of [
    echoed,
    echoedLate,
    faults.reset,
    faults.hang,
    faults.okPage,
    faults.serverError,
  ]) {
    const asking = fault === faults.hang ? hasty : channel;
    bot.fail("sendMessage", fault);
    told.push(await faultOf(asking.send(plainMessage("1001", "a"), 0, sendCall)));
    bot.fail("getFile", fault);
    told.push(await faultOf(asking.fetch("f", { maxBytes: 9 }, never)));
  }
  const wrong = `${token} `;
  told.push(await faultOf(world.channelWith({ token: wrong }).open(never)));
  told.push(await faultOf(world.channelWith({ apiRoot: "http://[bad" }).open(never)));
  await server.close();
  told.push(await faultOf(channel.open(never)));
  for (const one of told) {
    expect(inspect(one, { depth: 9, showHidden: true })).not.toContain(secret);
    expect(inspect(one, { depth: 9 })).not.toContain(secret.slice(0, 8));
    expect(JSON.stringify(one)).not.toContain(secret);
    expect(String(one instanceof Error ? one.stack : one)).not.toContain(secret);
    expect(one instanceof Error ? one.cause : undefined).toBeUndefined();
  }
  expect(inspect(told[2])).toContain("[token]");
});
