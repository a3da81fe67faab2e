import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeBot, startTelegramServer } from "../test/support/telegram-server.ts";
import type { Used } from "./support/bot-service.ts";
import { type Child, startChild } from "./support/child.ts";
import { median, numbersOf, printTable } from "./support/measure.ts";

/** From an update handed out to the reply received: a whole service on a file that survives a power cut, with a model that answers
 *  at once, over a Bot API on loopback. */

const { warmUp, replies, gapMs, batches, batch, idleSeconds } = numbersOf({
  warmUp: 50,
  replies: 200,
  gapMs: 100,
  batches: 5,
  batch: 100,
  idleSeconds: 20,
});

const token = "7001:bench";
const user = 1001;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function mainYaml(url: string): string {
  return `engine: { durability: power }
gateway: { rate_limit: { capacity: 10000, refill_per_minute: 10000 }, global_rate_limit: { capacity: 10000, refill_per_minute: 10000 } }
connectors:
  - { id: tg, type: telegram, token: "env:TG_TOKEN", api_root: "${url}", allow_users: [${user}], groups: [-100] }
`;
}

type Place = { readonly name: string; readonly chat: number };
const places: readonly Place[] = [
  { name: "private", chat: user },
  { name: "group", chat: -100 },
];

/** The service says something else first where it sees fit; a reply is the first message that comes. */
async function replyMs(bot: FakeBot, { chat }: Place): Promise<number> {
  const before = bot.callsOf("sendMessage").length;
  const from = performance.now();
  bot.say(`@${bot.username} hello`, { from: user, in: chat });
  await bot.until(() => bot.callsOf("sendMessage").length > before);
  return performance.now() - from;
}

async function replyTimes(bot: FakeBot, place: Place, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    times.push(await replyMs(bot, place));
    await pause(gapMs);
  }
  return times;
}

const cpuMs = async (service: Child) => (await service.ask<Used>("cpu")).cpuMs;

async function cpuDuring(service: Child, work: () => Promise<unknown>): Promise<number> {
  const before = await cpuMs(service);
  await work();
  return (await cpuMs(service)) - before;
}

/** CPU of an update that comes with many others, its reply included. */
async function batchCpuMs(service: Child, bot: FakeBot): Promise<number> {
  const before = bot.sent.length;
  const spent = await cpuDuring(service, async () => {
    for (let at = 0; at < batch; at += 1) bot.say(`hello ${at}`, { from: user });
    await bot.until(() => bot.sent.length >= before + batch, { withinMs: 120_000 });
  });
  return spent / batch;
}

function row(name: string, times: readonly number[]): string[] {
  const sorted = times.toSorted((one, other) => one - other);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  return [name, median(times).toFixed(1), p95.toFixed(1)];
}

const home = mkdtempSync(join(tmpdir(), "statehive-bench-"));
for (const folder of ["config", "prompts"])
  cpSync(new URL(`../../../${folder}`, import.meta.url), join(home, folder), { recursive: true });
const server = await startTelegramServer();
const bot = server.bot(token);
writeFileSync(join(home, "config/main.yaml"), mainYaml(server.url), { mode: 0o600 });
const service = await startChild(import.meta.url, "support/bot-service", [home, token]);
await bot.call("getUpdates");

const table = [["update to reply, ms", "median", "p95"]];
for (const place of places) {
  await replyTimes(bot, place, warmUp);
  table.push(row(place.name, await replyTimes(bot, place, replies)));
}
printTable(table);
const batched: number[] = [];
for (let at = 0; at < batches; at += 1) batched.push(await batchCpuMs(service, bot));
console.log(`${median(batched).toFixed(1)} ms CPU for each of ${batch} updates at once`);
const idle = await cpuDuring(service, () => pause(idleSeconds * 1000));
console.log(`${((100 * idle) / (idleSeconds * 1000)).toFixed(2)} % of a core while it waits`);
await service.close();
await server.close();
rmSync(home, { recursive: true });
