import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type MortalService, startMortalService } from "../support/mortal-service.ts";
import { countPlacedFiles } from "../support/placed-files.ts";
import { createRandom } from "../support/soak.ts";
import {
  approvers,
  conversations,
  createCrowd,
  type Crowd,
  groups,
  makeBadWeather,
} from "../support/telegram-crowd.ts";
import { createTelegramHome, type TelegramHome } from "../support/telegram-home.ts";
import { faultsIn } from "../support/telegram-judge.ts";
import { evidenceOf, faultsInRecords, whenQuiet } from "../support/telegram-records.ts";
import type { FakeBot } from "../support/telegram-server.ts";

/** The service as a process, killed again and again, over a Bot API that fails in every way that it can. */

const kills = 20;
const talks = conversations(200);
const most = { callsOfALife: 60, msOfALife: 2_000 };
/** A busy machine needs longer for what is done after a start, too. */
const startsOfALife = 3;

type Play = {
  readonly home: TelegramHome;
  readonly bot: FakeBot;
  readonly service: MortalService;
  readonly crowd: Crowd;
  readonly random: () => number;
};

/** Dies when it has called the Bot API so often, wherever it is then; one that waits for a retry dies too.
 *  @returns how long the next one took to start */
async function live({ bot, service, random }: Play, startMs: number): Promise<number> {
  const end = bot.calls.length + 1 + Math.floor(random() * most.callsOfALife);
  const isOver = () => bot.calls.length >= end;
  const withinMs = Math.max(most.msOfALife, startsOfALife * startMs);
  await bot.until(isOver, { withinMs }).catch(() => {});
  const killedAt = performance.now();
  await service.dieAndReturn();
  return performance.now() - killedAt;
}

async function playOn(play: Play): Promise<void> {
  const { crowd, random } = play;
  const each = talks.length / kills;
  let startMs = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    for (const talk of talks.slice(kill * each, (kill + 1) * each)) {
      crowd.speak(talk);
      if (random() < 0.5) crowd.speak(talk);
    }
    startMs = await live(play, startMs);
  }
}

async function begin(seed: number): Promise<Play> {
  const random = createRandom(seed);
  const users = talks.map(({ user }) => user);
  const home = await createTelegramHome({ bots: [{ id: "tg", users, approvers, groups }] });
  onTestFinished(home.close);
  const [bot] = home.bots;
  if (bot === undefined) throw new Error("There is no bot.");
  const service = await startMortalService(home);
  onTestFinished(() => service.present.kill());
  return { home, bot, service, crowd: createCrowd(bot, random), random };
}

/** Another one each time; a failure is tried again with what its name says. */
const seed = Number(process.env["STATEHIVE_SEED"] ?? Date.now() % 1_000_000);

it(`loses no message of 200 conversations through 20 kills, and answers none twice (STATEHIVE_SEED=${seed})`, async () => {
  const play = await begin(seed);
  const { home, bot, crowd, service } = play;
  const weather = makeBadWeather(bot, play.random);
  const placed = countPlacedFiles(join(home.home, "workspace/main/jobs"));
  const tapping = setInterval(crowd.tap, 20);
  onTestFinished(() => {
    clearInterval(tapping);
    placed.close();
  });
  await playOn(play);
  weather.clear();
  await whenQuiet(home);

  expect(service.deaths).toBe(kills);
  const { said } = crowd;
  expect(faultsIn(await evidenceOf(home.home, bot, said))).toEqual([]);
  const written = said.map(({ token }) => [token, placed.times(`${token}.txt`)] as const);
  expect(written.filter(([, times]) => times > 1)).toEqual([]);
  expect([...weather.made.keys()].length).toBeGreaterThan(10);
  const connection = await service.present.connect();
  expect(await connection.call("audit.verify", {})).toMatchObject({ ok: true });
  connection.close();
  expect(await faultsInRecords(home.home)).toEqual([]);
});
