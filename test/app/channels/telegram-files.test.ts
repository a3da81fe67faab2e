import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createTelegramChannel } from "../../../src/adapters/channel/telegram/telegram-channel.ts";
import { createLinuxFiles } from "../../../src/adapters/files/linux-files.ts";
import { messageTable } from "../../../src/schema/rows/session-rows.ts";
import { createChannelHive } from "../../support/channel-hive.ts";
import { startTelegramServer } from "../../support/telegram-server.ts";

/** Files in Telegram itself, as far as its Bot API can be had on loopback, and on a real disk. */

const token = "7002:files_token-A";

async function openTelegram() {
  const root = mkdtempSync(join(tmpdir(), "statehive-inbox-"));
  const server = await startTelegramServer();
  const bot = server.bot(token);
  const channel = createTelegramChannel({ token, apiRoot: server.url, pollSeconds: 1 });
  const hive = await createChannelHive({
    over: channel,
    files: await createLinuxFiles({ root }),
  });
  onTestFinished(async () => {
    await hive.engine.close();
    await channel.close();
    await server.close();
    rmSync(root, { recursive: true });
  });
  return { hive, bot, server, root };
}

it("T08: takes an album, a voice message and a word after them in order, and says which file is too large", async () => {
  const { hive, bot, root } = await openTelegram();
  const photo = (bytes: string) => ({ kind: "photo", bytes: Buffer.from(bytes) }) as const;
  bot.say("our garden", { file: photo("one"), album: "a" });
  bot.say("", { file: photo("two"), album: "a" });
  const path = "voice/../../../../etc/passwd";
  bot.say("", { file: { kind: "voice", bytes: Buffer.from("three"), type: "audio/ogg" } });
  bot.say("", { file: { kind: "document", bytes: Buffer.from("four"), name: "passwd", path } });
  const film = { kind: "video", bytes: Buffer.from("5"), name: "film.mp4" } as const;
  bot.say("see", { file: { ...film, saysSize: 25 * 1024 * 1024 } });
  bot.say("and?");
  await bot.until(() => bot.unconfirmed.length === 0 && bot.isPolled);
  await hive.engine.settled();
  hive.clock.advance(500);
  await bot.until(() => bot.sent.length === 6);
  await hive.engine.settled();

  const messages = await hive.engine.read.select(messageTable, { index: "key" });
  const told = messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => content.map((block) => ("text" in block ? block.text : "")));
  expect(told.map((text) => text.replaceAll(/\d+-f\d+-/g, ""))).toEqual([
    "our garden\n\n[file: inbox/1.jpg, photo, 3 B]\n[file: inbox/2.jpg, photo, 3 B]",
    "[file: inbox/3.ogg, voice message, audio/ogg, 5 B]",
    'see\n\n[file not received: video "film.mp4", 25 MB: it is larger than 20 MB]',
    "and?",
  ]);
  const names = readdirSync(join(root, "inbox")).toSorted();
  expect(names.map((name) => readFileSync(join(root, "inbox", name), "utf8"))).toEqual([
    "one",
    "two",
    "three",
  ]);
  expect(names.map((name) => statSync(join(root, "inbox", name)).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600,
  ]);
  expect(bot.sent.map(({ text }) => text).filter((text) => text.startsWith("I did not"))).toEqual([
    'I did not get the document "passwd" (4 B): the channel does not give it out.',
    'I did not get the video "film.mp4" (25 MB): it is larger than 20 MB.',
  ]);
});
