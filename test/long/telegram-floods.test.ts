import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { protocolVersion } from "../../src/schema/socket/protocol.ts";
import { rowsIn } from "../support/database-rows.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { createTelegramHome, type TelegramHome } from "../support/telegram-home.ts";
import { faultsIn, type SaidToken } from "../support/telegram-judge.ts";
import { evidenceOf, whenQuiet } from "../support/telegram-records.ts";
import type { FakeBot } from "../support/telegram-server.ts";

/** Ten thousand messages at once, with the limits that a home has unless told. */

const messages = 10_000;
const mostBytes = 150 * 1024 * 1024;
/** For a program on the socket that asks all the time: so long the service may work at something else before it answers, and so
 *  long it may take where others want the machine too. */
const longest = { workMs: 1_000, silenceMs: 60_000 };
const usualLimits = "engine: { durability: process }\n";
async function begin(bots: readonly { readonly id: string; readonly users: readonly number[] }[]) {
  const home = await createTelegramHome({ bots, mainYaml: usualLimits });
  onTestFinished(home.close);
  const service = await startServiceProcess(home);
  onTestFinished(() => service.kill());
  for (const bot of home.bots) await bot.call("getUpdates");
  return { home, service };
}

/** The most that the process ever held. */
function peakBytes({ child }: ServiceProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

function say(bot: FakeBot, token: string, from: number): SaidToken {
  const { update_id, message_id, chat_id: chat } = bot.say(token, { from });
  return { token, update_id, message_id, chat, topic: undefined };
}

/** How long the thread that answers has worked. */
function workedMs({ child }: ServiceProcess): number {
  const stat = readFileSync(`/proc/${child.pid}/task/${child.pid}/stat`, "utf8");
  const [user, system] = stat.split(") ")[1]?.split(" ").slice(11, 13) ?? [];
  const ticksPerSecond = 100;
  return ((Number(user) + Number(system)) / ticksPerSecond) * 1_000;
}

/** A program at the machine asks again and again, until it is said that it is over.
 *  @returns the most that an answer took */
async function slowestAnswer(service: ServiceProcess, over: Promise<unknown>) {
  const connection = await service.connect();
  const end = new AbortController();
  over.then(
    () => end.abort(),
    () => end.abort(),
  );
  const slowest = { workMs: 0, silenceMs: 0 };
  while (!end.signal.aborted) {
    const before = { worked: workedMs(service), at: performance.now() };
    await connection.call("hello", { protocol: protocolVersion });
    slowest.workMs = Math.max(slowest.workMs, workedMs(service) - before.worked);
    slowest.silenceMs = Math.max(slowest.silenceMs, performance.now() - before.at);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  connection.close();
  return slowest;
}

function expectSoon({ workMs, silenceMs }: Awaited<ReturnType<typeof slowestAnswer>>): void {
  expect(workMs).toBeLessThan(longest.workMs);
  expect(silenceMs).toBeLessThan(longest.silenceMs);
}

/** Of what was said to one of the bots, what was taken. */
async function taken({ home }: TelegramHome, id: string, said: readonly SaidToken[]) {
  const rows = await rowsIn<{ update_id: string }>(
    home,
    `SELECT update_id FROM connector_updates WHERE verdict = 'accepted' AND connector_id = '${id}'`,
  );
  const numbers = new Set(rows.map(({ update_id }) => Number(update_id)));
  return said.filter(({ update_id }) => numbers.has(update_id));
}

type Counts = { readonly accepted: number; readonly refused: number; readonly rows: number };

/** Refusals that nobody was told yet stand beside the buckets. */
async function counted({ home }: TelegramHome): Promise<Counts> {
  const [counts] = await rowsIn<Counts>(
    home,
    `SELECT sum(json_extract(snapshot, '$.context.accepted')) accepted,
      sum(json_extract(snapshot, '$.context.refused')) + (SELECT sum(refused) FROM rate_buckets) refused,
      (SELECT count(*) FROM connector_updates) rows
      FROM actors WHERE machine = 'connector'`,
  );
  if (counts === undefined) throw new Error("There is no connector.");
  return counts;
}

it("takes of one who floods what that one may send, answers it, and others meanwhile", async () => {
  const { home, service } = await begin([{ id: "tg", users: [1001, 1002] }]);
  const [bot] = home.bots as readonly [FakeBot];
  const before = peakBytes(service);
  const said = Array.from({ length: messages }, (_, index) => say(bot, `w${index + 1}`, 1001));
  const other = say(bot, "w0", 1002);
  const served = bot.message("answered w0", { withinMs: 300_000 });
  expectSoon(await slowestAnswer(service, served));
  await served;
  await whenQuiet(home);

  const answered = await taken(home, "tg", [...said, other]);
  expect(faultsIn(await evidenceOf(home.home, bot, answered))).toEqual([]);
  const { accepted, refused, rows } = await counted(home);
  expect(accepted + refused).toBe(messages + 1);
  expect(accepted).toBe(answered.length);
  expect(accepted).toBeGreaterThanOrEqual(21);
  expect(rows).toBeLessThan(accepted + 100);
  expect(peakBytes(service) - before).toBeLessThan(mostBytes);
});

it("answers all that it takes of a thousand who flood four bots, and counts the rest", async () => {
  const usersOfABot = 250;
  const bots = ["a", "b", "c", "d"].map((id, index) => {
    const first = 1001 + index * usersOfABot;
    return { id, users: Array.from({ length: usersOfABot }, (_, at) => first + at) };
  });
  const { home, service } = await begin(bots);
  const before = peakBytes(service);
  const said = home.bots.map((bot, index) =>
    Array.from({ length: messages / bots.length }, (_, at) => {
      const from = bots[index]?.users[at % usersOfABot] ?? 0;
      return say(bot, `w${at * bots.length + index}`, from);
    }),
  );
  const over = whenQuiet(home);
  expectSoon(await slowestAnswer(service, over));
  await over;

  for (const [index, bot] of home.bots.entries()) {
    const answered = await taken(home, bots[index]?.id ?? "", said[index] ?? []);
    expect(faultsIn(await evidenceOf(home.home, bot, answered))).toEqual([]);
  }
  const { accepted, refused } = await counted(home);
  expect(accepted + refused).toBe(messages);
  expect(accepted).toBeGreaterThanOrEqual(200);
  expect(peakBytes(service) - before).toBeLessThan(mostBytes);
});
