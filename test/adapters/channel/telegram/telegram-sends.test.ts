import { describe, expect, it } from "vitest";
import type { OutboundMessage } from "../../../../src/schema/outbound.ts";
import { plainMessage } from "../../../contracts/channel.contract.ts";
import { faults } from "../../../support/telegram-server.ts";
import { faultOf, never, sendCall, useBotWorld } from "./bot-world.ts";

const world = useBotWorld();
const yes = [[{ label: "Yes", data: "o:1" }]];

const markdown = (text: string, changes: Partial<OutboundMessage> = {}): OutboundMessage => ({
  ...plainMessage("1001", ""),
  body: { kind: "markdown", text },
  ...changes,
});

async function sendAll(message: OutboundMessage): Promise<void> {
  const channel = world.channelWith();
  const { parts } = await channel.send(message, 0, sendCall);
  for (let part = 1; part < parts; part += 1) await channel.send(message, part, sendCall);
}

describe("a message", () => {
  it("is shown as the Markdown that the model wrote, without a preview of its links", async () => {
    const { bot } = world;
    bot.meet(1001);
    await sendAll(markdown("**Done**: see https://example.com"));
    expect(bot.sent[0]).toMatchObject({ text: "Done: see https://example.com" });
    expect(bot.sent[0]?.entities[0]).toEqual({ type: "bold", offset: 0, length: 4 });
    expect(bot.callsOf("sendMessage")[0]?.params["link_preview_options"]).toEqual({
      is_disabled: true,
    });
  });

  it.each([
    'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0',
    "Bad Request: message is too long",
  ])("comes as plain text where Telegram does not take its HTML: %s", async (words) => {
    const { bot } = world;
    bot.meet(1001);
    bot.fail("sendMessage", faults.refused(400, words));
    await sendAll(markdown("a **bold** word", { buttons: yes }));
    expect(bot.callsOf("sendMessage").map(({ params }) => params["parse_mode"])).toEqual([
      "HTML",
      undefined,
    ]);
    expect(bot.sent).toMatchObject([{ entities: [], buttons: yes }]);
    expect(bot.sent[0]?.text).toContain("word");
  });

  it("answers the person's message with its first part and has its buttons below the last", async () => {
    const { bot } = world;
    const { message_id } = bot.say("tell me all");
    const text = "A sentence of some length. ".repeat(400);
    await sendAll(markdown(text, { reply_to: String(message_id), buttons: yes }));
    const shown = bot.sent.map(({ reply_to, buttons }) => [reply_to, buttons.length]);
    expect(shown).toEqual([
      [message_id, 0],
      [undefined, 0],
      [undefined, 1],
    ]);
    expect(bot.sent.every((one) => one.text.length <= 4096)).toBe(true);
  });

  it("is sent also when the message that it answers is gone", async () => {
    const { bot } = world;
    bot.meet(1001);
    await sendAll(markdown("late", { reply_to: "999" }));
    expect(bot.sent).toMatchObject([{ text: "late", reply_to: undefined }]);
    const nonsense = markdown("late", { reply_to: "cli-1" });
    expect(await faultOf(sendAll(nonsense))).toMatchObject({ code: "channel.refused" });
  });

  it("asks for an answer to itself, in a group of the one person", async () => {
    const { bot } = world;
    const { message_id } = bot.say("ask me", { in: -100 });
    const question = { scope: "-100", wants_reply: true };
    await sendAll(markdown("Which one?", { ...question, reply_to: String(message_id) }));
    expect(bot.sent[0]?.wants_reply).toBe(true);
    expect(bot.callsOf("sendMessage")[0]?.params["reply_markup"]).toEqual({
      force_reply: true,
      selective: true,
    });
  });

  it("brings a text that is far too long as a file", async () => {
    const { bot } = world;
    bot.meet(1001);
    const text = "A line of a very long text.\n\n".repeat(2000);
    await sendAll(markdown(text));
    expect(bot.sent).toHaveLength(2);
    expect(bot.sent[1]?.document).toEqual({ name: "reply.md", text });
  });

  it("has no part beyond its last", async () => {
    const sent = world.channelWith().send(markdown("short"), 1, sendCall);
    expect(await faultOf(sent)).toMatchObject({ code: "channel.refused" });
  });
});

describe("a group that has become a supergroup", () => {
  const grown = { groups: ["-100", "-1009"] };
  const inGroup = { ...plainMessage("-100", "hello"), reply_to: "7", buttons: yes };

  it("hears nothing while only its old number is let in; the error says which one is new", async () => {
    world.bot.upgrade(-100, -1009);
    const sent = world.channelWith({ groups: ["-100"] }).send(inGroup, 0, sendCall);
    expect(await faultOf(sent)).toMatchObject({
      code: "channel.moved",
      retryable: true,
      message: "The group has the number -1009 now, which its connector's `groups` do not name.",
    });
    expect(world.bot.sent).toEqual([]);
  });

  it("hears what was meant for it once its new number is let in, without what belongs to the old chat", async () => {
    world.bot.upgrade(-100, -1009);
    await world.channelWith(grown).send(inGroup, 0, sendCall);
    expect(world.bot.sent).toMatchObject([
      { chat_id: -1009, text: "hello", reply_to: undefined, buttons: [] },
    ]);
  });

  it("is put no question from before, which nobody could answer there", async () => {
    world.bot.upgrade(-100, -1009);
    const body = { kind: "card", parts: [{ kind: "title", text: "May I?" }] } as const;
    const sent = world.channelWith(grown).send({ ...inGroup, body }, 0, sendCall);
    expect(await faultOf(sent)).toMatchObject({ code: "channel.refused", retryable: false });
    expect(world.bot.sent).toEqual([]);
  });

  it("has none of its earlier messages changed: they are gone", async () => {
    world.bot.upgrade(-100, -1009);
    const edit = world.channelWith(grown).edit("7", inGroup, sendCall);
    expect(await faultOf(edit)).toMatchObject({
      code: "channel.refused",
      details: { is_gone: true },
    });
  });
});

describe("a topic", () => {
  it("keeps what is sent in it; General's number is left away but for typing", async () => {
    const { bot } = world;
    bot.meet({ chat: -100, topic: 7 });
    for (const scope of ["-100/7", "-100/1", "-100"])
      await sendAll(plainMessage(scope, `in ${scope}`));
    expect(bot.sent.map((one) => one.thread_id)).toEqual([7, undefined, undefined]);
    const { live } = world.channelWith();
    expect(await live.typing({ scope: "-100/1" })).toBe(true);
    expect(await live.typing({ scope: "-100/7" })).toBe(true);
    const threads = bot.callsOf("sendChatAction").map(({ params }) => params["message_thread_id"]);
    expect(threads).toEqual(["1", "7"]);
  });

  it("that was deleted takes nothing any more", async () => {
    world.bot.meet({ chat: -100, topic: 7 });
    const fault = await faultOf(sendAll(plainMessage("-100/8", "a")));
    expect(fault).toMatchObject({ code: "channel.refused", retryable: false });
    expect(fault.message).toContain("message thread not found");
  });
});

describe("an edit", () => {
  it("comes as plain text where Telegram does not take its HTML", async () => {
    const { bot } = world;
    bot.meet(1001);
    const channel = world.channelWith();
    const { message_id } = await channel.send(markdown("first"), 0, sendCall);
    bot.fail("editMessageText", faults.refused(400, "Bad Request: can't parse entities: why not"));
    await channel.edit(message_id, markdown("**second**"), sendCall);
    expect(bot.sent[0]).toMatchObject({ entities: [] });
    expect(bot.sent[0]?.text).toContain("second");
  });

  it("says that the message is gone where Telegram changes it no more", async () => {
    const { bot } = world;
    const said = bot.say("mine");
    const edit = world.channelWith().edit(String(said.message_id), markdown("ours"), sendCall);
    expect(await faultOf(edit)).toMatchObject({
      code: "channel.refused",
      details: { is_gone: true },
    });
    const nonsense = world.channelWith().edit("x", markdown("ours"), sendCall);
    expect(await faultOf(nonsense)).toMatchObject({ code: "channel.refused" });
  });
});

describe("what is shown while something happens", () => {
  it("is a draft in a private chat, with a stop button, and none in a group", async () => {
    const { bot } = world;
    bot.meet(1001);
    bot.meet(-100);
    const { live } = world.channelWith();
    expect(await live.draft({ scope: "1001", draft: 7, text: "" })).toBe(true);
    expect(await live.draft({ scope: "1001", draft: 7, text: "So **far** it" })).toBe(true);
    expect(await live.draft({ scope: "-100", draft: 7, text: "So far" })).toBe(false);
    expect(bot.drafts.map(({ text, can_stop }) => [text, can_stop])).toEqual([
      ["", true],
      ["So far it", true],
    ]);
    expect(bot.callsOf("sendMessageDraft")).toHaveLength(2);
  });

  it("is the newest of a long text, never more than Telegram takes", async () => {
    const { bot } = world;
    bot.meet(-100);
    const { live } = world.channelWith();
    const text = `${"🦀 word ".repeat(2000)}the end`;
    const messageId = (await live.preview({ scope: "-100", text })) ?? "";
    expect(bot.sent[0]?.text.length).toBeLessThanOrEqual(4096);
    expect(bot.sent[0]?.text).toMatch(/^….*the end$/);
    for (let times = 0; times < 2; times += 1)
      expect(await live.changePreview({ scope: "-100", messageId, text: "less" })).toBe(true);
    expect(bot.sent[0]?.text).toBe("less");
  });

  it("T07: leaves a chat alone as long as Telegram says, and no other", async () => {
    const { bot } = world;
    bot.meet(1001);
    bot.meet(-100);
    let now = 0;
    const { live } = world.channelWith({ now: () => now });
    bot.fail("sendChatAction", faults.rateLimited(30));
    expect(await live.typing({ scope: "-100" })).toBe(false);
    now = 29_999;
    expect(await live.typing({ scope: "-100/7" })).toBe(false);
    expect(await live.typing({ scope: "1001" })).toBe(true);
    expect(bot.callsOf("sendChatAction")).toHaveLength(2);
    now = 30_000;
    expect(await live.typing({ scope: "-100" })).toBe(true);
  });

  it("T07: waits for no answer for long, and ends with the channel", async () => {
    const { bot } = world;
    bot.meet(1001);
    bot.fail("sendChatAction", faults.hang, 2);
    const slow = world.channelWith({ liveTimeoutMs: 50 });
    expect(await slow.live.typing({ scope: "1001" })).toBe(false);
    const before = bot.callsOf("sendChatAction").length;
    const channel = world.channelWith();
    const typing = channel.live.typing({ scope: "1001" });
    await bot.until(() => bot.callsOf("sendChatAction").length > before);
    await channel.close();
    expect(await typing).toBe(false);
  });

  it("is one word for each tap", async () => {
    const { bot } = world;
    bot.meet(1001);
    const channel = world.channelWith();
    await channel.send({ ...plainMessage("1001", "May I?"), buttons: yes }, 0, sendCall);
    const { tap_id } = bot.tap(await bot.message("May I?"), "Yes");
    expect(await channel.live.answerTap(tap_id, "x".repeat(500))).toBe(true);
    expect(bot.tapAnswer(tap_id)).toBe("x".repeat(200));
    expect(await channel.live.answerTap(tap_id, "again")).toBe(false);
  });

  it("is nothing in what is no conversation", async () => {
    const { live } = world.channelWith();
    expect(await live.typing({ scope: "cli" })).toBe(false);
    expect(await live.seen({ scope: "1001", messageId: "x" })).toBe(false);
    expect(never.aborted).toBe(false);
  });
});
