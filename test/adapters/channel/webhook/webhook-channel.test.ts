import { describe, expect, it, onTestFinished } from "vitest";
import {
  createWebhookChannel,
  type WebhookOptions,
} from "../../../../src/adapters/channel/webhook/webhook-channel.ts";
import type { OutboundMessage } from "../../../../src/schema/outbound.ts";
import { type CallbackAnswer, callbackServer } from "../../../support/callback-server.ts";

const secret = "callback-secret-0123456789";

async function webhook(options: Partial<WebhookOptions> = {}) {
  const callback = await callbackServer();
  const channel = createWebhookChannel({
    connectorId: "crm",
    callbackUrl: callback.url,
    callbackSecret: secret,
    isLive: true,
    ...options,
  });
  onTestFinished(() => channel.close());
  return { callback, channel };
}

const plain: OutboundMessage = {
  scope: "c1/orders",
  body: { kind: "markdown", text: "**Done.**" },
  buttons: [],
  reply_to: "7",
  wants_reply: false,
};
const card: OutboundMessage = {
  scope: "c1",
  body: {
    kind: "card",
    parts: [
      { kind: "title", text: "May I?" },
      { kind: "code", text: "rm a" },
    ],
  },
  buttons: [[{ label: "Once", data: "o:a1:0123456789abcdef" }]],
  reply_to: null,
  wants_reply: false,
};
const call = { key: "crm/d1/0", signal: new AbortController().signal };
const messageId = expect.stringMatching(/^m[0-9a-f]{24}$/) as string;

describe("a message to a webhook", () => {
  it("is posted with its key, the callback's token, and all that it says", async () => {
    const { callback, channel } = await webhook();
    const sent = await channel.send(plain, 0, call);
    expect(sent).toEqual({ message_id: messageId, parts: 1 });
    const [said] = callback.said;
    expect(said?.headers).toMatchObject({
      "authorization": `Bearer ${secret}`,
      "content-type": "application/json",
      "idempotency-key": "crm/d1/0",
    });
    expect(said?.body).toEqual({
      event: "message",
      connector: "crm",
      delivery: "crm/d1/0",
      message_id: sent.message_id,
      conversation: { id: "c1", topic: "orders" },
      part: 0,
      message: {
        kind: "markdown",
        text: "**Done.**",
        buttons: [],
        reply_to: "7",
        wants_reply: false,
      },
    });
  });

  it("is the same message again with the same key, and another with another", async () => {
    const { callback, channel } = await webhook();
    const first = await channel.send(plain, 0, call);
    expect(await channel.send(plain, 0, call)).toEqual(first);
    expect(callback.messages()).toHaveLength(1);
    const other = await channel.send(plain, 0, { ...call, key: "crm/d2/0" });
    expect(other.message_id).not.toBe(first.message_id);
  });

  it("may be a card with buttons, which an edit replaces", async () => {
    const { callback, channel } = await webhook();
    const { message_id } = await channel.send(card, 0, call);
    const outcome: OutboundMessage = {
      ...card,
      body: { kind: "plain", text: "Allowed." },
      buttons: [],
    };
    expect(await channel.edit(message_id, outcome, { ...call, key: "crm/d2/0" })).toEqual({
      message_id,
      parts: 1,
    });
    expect(callback.messages().map(({ event, message }) => [event, message])).toEqual([
      ["message", { ...card.body, buttons: card.buttons, reply_to: null, wants_reply: false }],
      [
        "edit",
        { kind: "plain", text: "Allowed.", buttons: [], reply_to: null, wants_reply: false },
      ],
    ]);
    expect(callback.messages()[1]?.message_id).toBe(message_id);
  });

  it("goes without a token where none is configured", async () => {
    const { callback, channel } = await webhook({ callbackSecret: undefined });
    await channel.send(plain, 0, call);
    expect(callback.said[0]?.headers).not.toHaveProperty("authorization");
  });

  const forEver: CallbackAnswer = { status: 503, headers: { "retry-after": "999999999" } };
  it.each<[string, CallbackAnswer, object]>([
    ["bad input", { status: 400 }, { code: "channel.refused", retryable: false }],
    ["no token", { status: 401 }, { code: "channel.unauthorized", retryable: false }],
    ["a forbidden token", { status: 403 }, { code: "channel.unauthorized", retryable: false }],
    ["no such path", { status: 404 }, { code: "channel.refused", retryable: false }],
    ["a slow request", { status: 408 }, { code: "channel.unreachable", retryable: true }],
    [
      "too many",
      { status: 429, headers: { "retry-after": "7" } },
      { code: "channel.rate_limited", retryable: true, retryAfterMs: 7_000 },
    ],
    [
      "too many, with a date",
      { status: 429, headers: { "retry-after": "Mon, 01 Jan 2125 00:00:00 GMT" } },
      { code: "channel.rate_limited", retryAfterMs: undefined },
    ],
    ["a failure", { status: 500 }, { code: "channel.unreachable", retryable: true }],
    ["a wait of years", forEver, { code: "channel.unreachable", retryAfterMs: 3_600_000 }],
    ["no answer", "hang", { code: "channel.unreachable", retryable: true }],
    ["a lost answer", "drop", { code: "channel.unreachable", retryable: true }],
  ])("that meets %s fails with what that means", async (_name, answer, error) => {
    const { callback, channel } = await webhook(answer === "hang" ? { timeoutMs: 60 } : {});
    callback.answerNext(answer);
    const failed = channel.send(plain, 0, call);
    await expect(failed).rejects.toMatchObject(error);
    await expect(failed).rejects.not.toThrow(secret);
  });

  it("does not follow a redirect, and its token goes nowhere else", async () => {
    const elsewhere = await callbackServer();
    const { callback, channel } = await webhook();
    for (const status of [301, 302, 303, 307, 308]) {
      callback.answerNext({ status, headers: { location: elsewhere.url } });
      await expect(channel.send(plain, 0, call)).rejects.toMatchObject({
        code: "channel.refused",
        message: `The callback answered ${status}, and no redirect is followed.`,
      });
    }
    expect(elsewhere.said).toEqual([]);
  });

  it("says so where nobody listens", async () => {
    const { channel } = await webhook({ callbackUrl: "http://127.0.0.1:1/" });
    await expect(channel.send(plain, 0, call)).rejects.toMatchObject({
      code: "channel.unreachable",
      message: "The callback could not be reached: ECONNREFUSED.",
    });
  });

  it("is stopped by its caller", async () => {
    const { callback, channel } = await webhook();
    callback.answerNext("hang");
    const stop = new AbortController();
    const sending = channel.send(plain, 0, { key: "k", signal: stop.signal });
    await callback.message(() => true);
    stop.abort();
    await expect(sending).rejects.toMatchObject({ code: "activity.aborted" });
  });

  it("is known to be gone where an edit does not find it", async () => {
    const { callback, channel } = await webhook();
    for (const status of [404, 410]) {
      callback.answerNext({ status });
      await expect(channel.edit("m1", plain, call)).rejects.toMatchObject({
        code: "channel.refused",
        details: { status, is_gone: true },
      });
    }
  });
});

describe("a webhook that is opened", () => {
  it("greets the callback, which may know no greeting", async () => {
    const { callback, channel } = await webhook();
    const { host } = new URL(callback.url);
    for (const status of [204, 404, 422]) {
      callback.answerNext({ status });
      expect(await channel.open(call.signal)).toEqual({ id: "crm", name: host });
    }
    expect(callback.said[0]?.body).toEqual({ event: "hello", connector: "crm" });
    expect(callback.said[0]?.headers).not.toHaveProperty("idempotency-key");
  });

  it("says that its token is refused, or that nobody is there", async () => {
    const { callback, channel } = await webhook();
    callback.answerNext({ status: 401 }, { status: 502 });
    await expect(channel.open(call.signal)).rejects.toMatchObject({ code: "channel.unauthorized" });
    await expect(channel.open(call.signal)).rejects.toMatchObject({ code: "channel.unreachable" });
  });

  it("is not asked for messages, and has no files", async () => {
    const { channel } = await webhook();
    expect([channel.sends, channel.intake]).toEqual(["keyed", "webhook"]);
    await expect(channel.receive(null, call.signal)).rejects.toMatchObject({
      code: "channel.refused",
    });
    await expect(channel.fetch("f", { maxBytes: 1 }, call.signal)).rejects.toMatchObject({
      code: "channel.refused",
    });
  });
});

describe("what happens meanwhile", () => {
  it("is told to a callback that wants it", async () => {
    const { callback, channel } = await webhook();
    const { live } = channel;
    const scope = "c1/orders";
    const conversation = { id: "c1", topic: "orders" };
    expect([
      await live.seen({ scope, messageId: "7" }),
      await live.typing({ scope }),
      await live.draft({ scope, draft: 1, text: "Do" }),
      await live.answerTap("t1", "Allowed."),
      await live.preview({ scope, text: "Do" }),
      await live.changePreview({ scope, messageId: "m1", text: "Do" }),
    ]).toEqual([true, true, true, true, undefined, false]);
    expect(callback.said.map(({ body }) => body)).toEqual([
      { event: "seen", connector: "crm", conversation, message_id: "7" },
      { event: "typing", connector: "crm", conversation },
      { event: "draft", connector: "crm", conversation, draft: 1, text: "Do" },
      { event: "tap", connector: "crm", tap_id: "t1", text: "Allowed." },
    ]);
    callback.answerNext({ status: 500 });
    expect(await live.typing({ scope })).toBe(false);
  });

  it("is told to nobody else", async () => {
    const { callback, channel } = await webhook({ isLive: false });
    expect(await channel.live.typing({ scope: "c1" })).toBe(false);
    expect(callback.said).toEqual([]);
  });
});
