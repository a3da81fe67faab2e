import { Api, InputFile, TelegramApiError } from "node-telegram-bot-api";
import { afterEach, beforeEach, expect, it } from "vitest";
import { faults, manglers, startTelegramServer, type TelegramServer } from "./telegram-server.ts";

/** The fake Bot API against the client that the product uses. */

const token = "8001:fake-secret_a";
let server: TelegramServer;

beforeEach(async () => {
  server = await startTelegramServer();
});
afterEach(() => server.close());

const clientOf = (of = token, timeoutMs = 50_000) =>
  new Api(of, { apiRoot: server.url, maxRetries: 0, timeoutMs });

async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof TelegramApiError) return error.message;
    return (error as Error).name;
  }
  return "not refused";
}

type Got = { readonly update_id: number } & Readonly<
  Partial<
    Record<
      "message" | "edited_message" | "callback_query" | "stopped_message_generation",
      { readonly [field: string]: unknown }
    >
  >
>;

async function updates(
  params: { offset?: number; timeout?: number } = {},
): Promise<readonly Got[]> {
  return await clientOf().getUpdates(params);
}

const sendingHtml = (text: string) =>
  clientOf().sendMessage({ chat_id: 1001, text, parse_mode: "HTML" });

it("brings what a person says to the poller that waits, once it is confirmed no more", async () => {
  const bot = server.bot(token);
  const waiting = clientOf().getUpdates({ timeout: 10, allowed_updates: ["message"] });
  await server.until(() => bot.isPolled);
  bot.say("hello @statehive_8001_bot");
  const [update] = (await waiting) as unknown as readonly Got[];
  expect(update?.message).toMatchObject({
    text: "hello @statehive_8001_bot",
    from: { id: 1001, username: "ann" },
    chat: { id: 1001, type: "private" },
    entities: [{ type: "mention", offset: 6, length: 19 }],
  });
  expect(await clientOf().getUpdates({ timeout: 0 })).toHaveLength(1);
  const offset = (update?.update_id ?? 0) + 1;
  expect(await clientOf().getUpdates({ offset, timeout: 0 })).toEqual([]);
  expect(bot.unconfirmed).toEqual([]);
});

it("ends the first poll with a conflict when a second one comes, and polls under a webhook", async () => {
  const bot = server.bot(token);
  const first = refusalOf(clientOf().getUpdates({ timeout: 10 }));
  await server.until(() => bot.isPolled);
  const second = clientOf().getUpdates({ timeout: 10 });
  expect(await first).toContain("409: Conflict: terminated by other getUpdates request");
  bot.say("for the second");
  expect(await second).toHaveLength(1);
  await clientOf().setWebhook({ url: `${server.url}/hook`, secret_token: "s" });
  expect(await refusalOf(clientOf().getUpdates())).toContain("409: Conflict: can't use getUpdates");
});

it("knows its bots apart and refuses a token that it does not know", async () => {
  server.bot(token);
  server.bot("8002:other", { username: "other_bot" });
  expect(await clientOf().getMe()).toMatchObject({ id: 8001, is_bot: true });
  expect(await clientOf("8002:other").getMe()).toMatchObject({ username: "other_bot" });
  expect(await refusalOf(clientOf("9:unknown").getMe())).toBe("401: Unauthorized");
});

it("shows a message as its HTML reads, with the entities in UTF-16 units", async () => {
  const bot = server.bot(token);
  bot.say("hi");
  await sendingHtml(
    '🦀 <b>a &lt; <i>b</i></b>\n<pre><code class="language-ts">x&amp;y</code></pre>',
  );
  expect(bot.sent[0]?.text).toBe("🦀 a < b\nx&y");
  expect(bot.sent[0]?.entities).toEqual([
    { type: "bold", offset: 3, length: 5 },
    { type: "italic", offset: 7, length: 1 },
    { type: "code", offset: 9, length: 3, language: "ts" },
    { type: "pre", offset: 9, length: 3 },
  ]);
});

it.each([
  ["<b>a", `can't parse entities: Can't find end tag corresponding to start tag "b"`],
  ["a < b", `can't parse entities: Unsupported start tag "" at byte offset 2`],
  ["é<b>a</i>", `can't parse entities: Unmatched end tag at byte offset 6`],
  ["a</b>", "can't parse entities: Unexpected end tag at byte offset 1"],
  ["<script>x</script>", `can't parse entities: Unsupported start tag "script"`],
  ["<b></b> ", "message text is empty"],
  ["x".repeat(4097), "message is too long"],
  ["🦀".repeat(2049), "message is too long"],
])("refuses %j as Telegram does", async (text, words) => {
  server.bot(token).meet(1001);
  expect(await refusalOf(sendingHtml(text))).toContain(`400: Bad Request: ${words}`);
});

it("takes 4096 units after entities, however long the HTML is", async () => {
  const bot = server.bot(token);
  bot.meet(1001);
  await sendingHtml("&lt;".repeat(4096));
  expect(bot.sent[0]?.text).toBe("<".repeat(4096));
});

it("refuses buttons whose data is over 64 bytes, threads that are not there and chats it never met", async () => {
  const bot = server.bot(token);
  bot.meet({ chat: -100, topic: 7 });
  const button = (data: string) => ({ inline_keyboard: [[{ text: "Yes", callback_data: data }]] });
  const send = (more: object) => clientOf().sendMessage({ chat_id: -100, text: "a", ...more });
  await send({ reply_markup: button("é".repeat(32)), message_thread_id: 7 });
  expect(bot.sentTo({ chat: -100, topic: 7 })[0]?.buttons).toEqual([
    [{ label: "Yes", data: "é".repeat(32) }],
  ]);
  expect(await refusalOf(send({ reply_markup: button("é".repeat(33)) }))).toContain(
    "BUTTON_DATA_INVALID",
  );
  expect(await refusalOf(send({ message_thread_id: 1 }))).toContain("message thread not found");
  expect(await refusalOf(send({ chat_id: 5 }))).toContain("chat not found");
  expect(await refusalOf(send({ reply_parameters: { message_id: 99 } }))).toContain(
    "message to be replied not found",
  );
});

it("edits, answers a tap once, and says when nothing is modified", async () => {
  const bot = server.bot(token);
  bot.say("hi");
  const api = clientOf();
  const reply_markup = { inline_keyboard: [[{ text: "✅ once", callback_data: "o:1" }]] };
  const { message_id } = await api.sendMessage({ chat_id: 1001, text: "May I?", reply_markup });
  const question = await bot.message("May I?");
  const { tap_id } = bot.tap(question, "once", { from: { id: 7, name: "Eve" } });
  expect((await updates()).at(-1)?.callback_query).toMatchObject({
    id: tap_id,
    data: "o:1",
    from: { id: 7 },
    message: { message_id },
  });
  await api.answerCallbackQuery({ callback_query_id: tap_id, text: "Allowed" });
  expect(bot.tapAnswer(tap_id)).toBe("Allowed");
  expect(await refusalOf(api.answerCallbackQuery({ callback_query_id: tap_id }))).toContain(
    "query is too old",
  );
  const edit = () => api.editMessageText({ chat_id: 1001, message_id, text: "Allowed by Ann" });
  await edit();
  expect((await bot.message("Allowed by Ann")).versions.map((one) => one.text)).toEqual([
    "May I?",
    "Allowed by Ann",
  ]);
  expect(bot.sent[0]?.buttons).toEqual([]);
  expect(await refusalOf(edit())).toContain("400: Bad Request: message is not modified");
});

it("takes documents, drafts in private chats, reactions, typing and commands", async () => {
  const bot = server.bot(token);
  const said = bot.say("hi");
  bot.meet(-100);
  const api = clientOf();
  const bytes = new TextEncoder().encode("# Long");
  await api.sendDocument({
    chat_id: 1001,
    document: new InputFile(bytes, { filename: "answer.md" }),
    caption: "All of it",
  });
  expect(bot.sent[0]).toMatchObject({
    text: "All of it",
    document: { name: "answer.md", text: "# Long" },
  });
  await api.sendMessageDraft({ chat_id: 1001, draft_id: 5, text: "So", can_stop: true });
  expect(bot.drafts).toMatchObject([{ draft_id: 5, text: "So", can_stop: true }]);
  expect(
    await refusalOf(api.sendMessageDraft({ chat_id: -100, draft_id: 5, text: "So" })),
  ).toContain("400");
  const reaction = [{ type: "emoji" as const, emoji: "👀" }];
  expect(
    await api.setMessageReaction({ chat_id: 1001, message_id: said.message_id, reaction }),
  ).toBe(true);
  expect(await api.sendChatAction({ chat_id: -100, action: "typing", message_thread_id: 1 })).toBe(
    true,
  );
  await api.setMyCommands({ commands: [{ command: "new", description: "Begin anew" }] });
  expect(bot.commands).toEqual([{ command: "new", description: "Begin anew" }]);
});

it("keeps the files of people, and tells where they are", async () => {
  const bot = server.bot(token);
  bot.say("look", { file: { kind: "document", bytes: Buffer.from("abc"), name: "a.txt" } });
  const [update] = await updates();
  const document = update?.message?.["document"] as { readonly file_id: string } | undefined;
  expect(document).toMatchObject({ file_name: "a.txt", file_size: 3 });
  const { file_path } = await clientOf().getFile({ file_id: document?.file_id ?? "" });
  const response = await fetch(`${server.url}/file/bot${token}/${file_path}`);
  expect(await response.text()).toBe("abc");
});

it("says in a topic which message opened it, marks forwards, edits and stops", async () => {
  const bot = server.bot(token);
  const said = bot.say("/status@statehive_8001_bot", { in: { chat: -100, topic: 7 } });
  bot.edit(said, "/stop");
  bot.say("not mine", { isForwarded: true });
  bot.stopGeneration(1001, 3);
  const [first, edited, forward, stop] = await updates();
  expect(first?.message).toMatchObject({
    chat: { id: -100, is_forum: true },
    message_thread_id: 7,
    reply_to_message: { forum_topic_created: { name: "Topic 7" } },
    entities: [{ type: "bot_command", offset: 0, length: 26 }],
  });
  expect(edited?.edited_message).toMatchObject({ text: "/stop", message_id: said.message_id });
  expect(forward?.message?.["forward_origin"]).toBeDefined();
  expect(stop?.stopped_message_generation).toMatchObject({ draft_id: 3 });
});

it("duplicates, reorders, skips numbers and brings again what was confirmed", async () => {
  const bot = server.bot(token);
  const first = bot.say("1").update_id;
  bot.skipUpdateIds(10_000);
  const second = bot.say("2").update_id;
  expect(second - first).toBe(10_001);
  const ids = async (offset: number) => {
    return (await updates({ offset })).map((one) => one.update_id);
  };
  bot.mangle(manglers.reversed);
  expect(await ids(0)).toEqual([second, first]);
  bot.mangle(manglers.twice);
  expect(await ids(second)).toEqual([second, second]);
  expect(await ids(second + 1)).toEqual([]);
  bot.again(first);
  expect(await ids(0)).toEqual([first]);
});

it("fails as it is told: by code, by page, by silence, before and after it took effect", async () => {
  const bot = server.bot(token);
  bot.meet(1001);
  const send = (text: string) =>
    refusalOf(clientOf(token, 200).sendMessage({ chat_id: 1001, text }));
  bot.fail("sendMessage", faults.rateLimited(30));
  bot.fail("sendMessage", faults.badGatewayPage);
  bot.fail("sendMessage", faults.forbiddenPage);
  bot.fail("sendMessage", faults.reset);
  bot.fail("sendMessage", faults.hang);
  bot.fail("sendMessage", faults.malformedJson);
  expect(await send("a")).toBe("429: Too Many Requests: retry after 30");
  expect(await send("b")).toBe("NetworkError");
  expect(await send("c")).toBe("ParseError");
  expect(await send("d")).toBe("NetworkError");
  expect(await send("e")).toBe("TimeoutError");
  expect(await send("f")).toBe("ParseError");
  expect(bot.sent).toEqual([]);
  bot.fail("sendMessage", faults.answerDropped);
  bot.fail("sendMessage", faults.answerReplacedByPage);
  expect(await send("g")).toBe("NetworkError");
  expect(await send("h")).toBe("NetworkError");
  expect(bot.sent.map((one) => one.text)).toEqual(["g", "h"]);
  expect(await send("i")).toBe("not refused");
  await server.goDown();
  expect(await send("j")).toBe("NetworkError");
  await server.comeUp();
  expect(await send("k")).toBe("not refused");
});

it("posts updates to the webhook with its secret and keeps what is not taken", async () => {
  const bot = server.bot(token);
  const other = server.bot("8002:other");
  await clientOf().setWebhook({
    url: `${server.url}/bot8002:other/getMe`,
    secret_token: "hook-secret",
  });
  bot.say("by webhook");
  expect((await bot.bring({ url: `${server.url}/nowhere` })).map((one) => one.status)).toEqual([
    404,
  ]);
  expect(bot.unconfirmed).toHaveLength(1);
  expect((await bot.bring()).map((one) => one.status)).toEqual([200]);
  expect(bot.unconfirmed).toEqual([]);
  expect(other.calls[0]?.params).toMatchObject({ message: { text: "by webhook" } });
});
