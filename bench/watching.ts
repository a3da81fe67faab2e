import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "./support/child.ts";
import { median, numbersOf, printTable } from "./support/measure.ts";
import type { ServiceOrder, Worked } from "./support/watched-service.ts";
import type { Heard, WatchersOrder } from "./support/watchers.ts";

/** What it costs a service to be watched: its CPU with nobody there, with one who watches, with one who never reads, and with
 *  many, in turns. */

const { actors, rate, seconds, rounds, many } = numbersOf({
  actors: 500,
  rate: 50,
  seconds: 10,
  rounds: 5,
  many: 10,
});
const actorsOfOne = 4;
const settingUpMs = 500;

type Audience = { readonly name: string; readonly reading: number; readonly stuck: number };
const audiences: readonly Audience[] = [
  { name: "nobody", reading: 0, stuck: 0 },
  { name: "one", reading: 1, stuck: 0 },
  { name: "one that never reads", reading: 0, stuck: 1 },
  { name: "many", reading: many, stuck: 0 },
];

const home = mkdtempSync(join(tmpdir(), "statehive-bench-"));
for (const folder of ["config", "prompts"]) {
  cpSync(new URL(`../../../${folder}`, import.meta.url), join(home, folder), { recursive: true });
}
const service = await startChild(import.meta.url, "support/watched-service", [home]);
const { socket } = await service.ask<{ socket: string }>("where");
const watchers = await startChild(import.meta.url, "support/watchers", [socket]);
const tell = <T>(order: ServiceOrder) => service.ask<T>(order);
const gather = <T>(order: WatchersOrder) => watchers.ask<T>(order);

const filled = await tell<{ actors: number }>({
  do: "fill",
  conversations: Math.round(actors / actorsOfOne),
});
await tell({ do: "flood", turns: 200 });
const stepsOfATurn = await countSteps();
const turnsPerSecond = rate / stepsOfATurn;

type Measured = Worked & Heard & { readonly heap: number };
const measured = new Map<string, Measured[]>(audiences.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (let turn = 0; turn < audiences.length; turn += 1) {
    const audience = audiences[(turn + round) % audiences.length] as Audience;
    measured.get(audience.name)?.push(await measure(audience));
  }
}
await watchers.close();
await service.close();
rmSync(home, { recursive: true });
report();

async function countSteps(): Promise<number> {
  const turns = 20;
  const { steps } = await tell<Worked>({ do: "work", ms: 1000, turnsPerSecond: turns });
  return steps / turns;
}

/** Whoever does not read is behind before it begins: what the system buffers is full. */
async function measure({ reading, stuck }: Audience): Promise<Measured> {
  await gather({ do: "open", reading, stuck });
  if (stuck > 0) await tell({ do: "flood", turns: 400 });
  await new Promise((resolve) => setTimeout(resolve, settingUpMs));
  const worked = await tell<Worked>({ do: "work", ms: seconds * 1000, turnsPerSecond });
  const { heap } = await tell<{ heap: number }>({ do: "flood", turns: 0 });
  return { ...worked, heap, ...(await gather<Heard>({ do: "close" })) };
}

function of(name: string, value: (one: Measured) => number): number {
  return median((measured.get(name) ?? []).map(value));
}

/** Of each round, with what it costs when nobody watches. */
function pairs(name: string): (readonly [number, number])[] {
  const alone = measured.get("nobody") ?? [];
  return (measured.get(name) ?? []).map((one, at) => [percent(one), percent(alone[at] ?? one)]);
}

function percent({ cpuMs, wallMs }: Measured): number {
  return (100 * cpuMs) / wallMs;
}

function report(): void {
  console.log(
    `${filled.actors} actors, ${of("nobody", ({ steps, wallMs }) => (1000 * steps) / wallMs).toFixed(0)} steps a second, ${stepsOfATurn.toFixed(1)} a turn`,
  );
  printTable([
    ["who watches", "CPU, % of a core", "extra", "extra for each", "deltas/s for each", "heap MB"],
    ...audiences.map(({ name, reading, stuck }) => {
      const extra = median(pairs(name).map(([watched, alone]) => watched - alone));
      const count = Math.max(1, reading + stuck);
      const deltas = of(name, ({ deltas: told, wallMs }) => (1000 * told) / wallMs / count);
      return [
        name,
        of(name, percent).toFixed(2),
        extra.toFixed(2),
        (extra / count).toFixed(3),
        deltas.toFixed(1),
        (of(name, ({ heap }) => heap) / 1e6).toFixed(1),
      ];
    }),
  ]);
}
