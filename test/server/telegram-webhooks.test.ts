import { afterEach, beforeEach, expect, it } from "vitest";
import { type RunningService, runService } from "../../src/server/run-service.ts";
import { homeWith } from "../config/homes.ts";
import {
  type FakeBot,
  startTelegramServer,
  type TelegramServer,
} from "../support/telegram-server.ts";

/** A service whose two bots are called by Telegram, through a proxy that is left out here. */

const tokens = { tg_a: "8001:token-of-a", tg_b: "8002:token-of-b" };
const secrets = { A: "bot-a-secret-0123456789", B: "bot-b-secret-0123456789" };

let telegram: TelegramServer;
let service: RunningService;
let a: FakeBot;
let b: FakeBot;
let port = 0;

const connector = (id: string, letter: string) =>
  `  - { id: ${id}, type: telegram, token: env:TOKEN_${letter}, api_root: "${telegram.url}", allow_users: [1001],
      webhook: { url: "https://hive.example.org/telegram/${id}", secret: env:${letter} } }\n`;

beforeEach(async () => {
  telegram = await startTelegramServer();
  a = telegram.bot(tokens.tg_a);
  b = telegram.bot(tokens.tg_b);
  const home = homeWith({
    "config/main.yaml": `engine: { type: memory }\nhttp: { port: 0 }\nconnectors:\n${connector("tg_a", "A")}${connector("tg_b", "B")}`,
  });
  service = await runService({
    home,
    env: { ...secrets, TOKEN_A: tokens.tg_a, TOKEN_B: tokens.tg_b },
    version: "test",
    writeLog: (line) => {
      const record = JSON.parse(line) as { readonly message: string; readonly port: number };
      if (record.message === "connectors are called at this address") port = record.port;
    },
  });
  await telegram.until(() => a.webhook !== undefined && b.webhook !== undefined);
});

afterEach(async () => {
  await service.stop(0);
  await telegram.close();
});

const at = (id: string) => `http://127.0.0.1:${port}/telegram/${id}`;
const statusesOf = async (bringing: ReturnType<FakeBot["bring"]>) =>
  (await bringing).map(({ status }) => status);

it("T06: takes of each bot what Telegram brings with that bot's secret, and nothing of another's", async () => {
  expect(a.webhook).toEqual({ url: "https://hive.example.org/telegram/tg_a", secret: secrets.A });
  a.say("Hello.");
  for (const secret of [null, "", "wrong", secrets.B]) {
    expect(await statusesOf(a.bring({ url: at("tg_a"), secret }))).toEqual([401]);
  }
  expect(await statusesOf(a.bring({ url: at("tg_b") }))).toEqual([401]);
  expect(a.unconfirmed).toHaveLength(1);
  expect(await statusesOf(a.bring({ url: at("tg_a") }))).toEqual([200]);
  await a.message("offline");
  expect(b.sent).toEqual([]);
});

it("T03: answers an update once that Telegram brings again", async () => {
  const said = a.say("Hello.");
  expect(await statusesOf(a.bring({ url: at("tg_a") }))).toEqual([200]);
  await a.message("offline");
  a.again(said.update_id);
  a.say("/status");
  expect(await statusesOf(a.bring({ url: at("tg_a") }))).toEqual([200, 200]);
  await a.message((message) => !message.text.includes("offline"));
  expect(a.sent.filter(({ text }) => text.includes("I am the built-in"))).toHaveLength(1);
});
