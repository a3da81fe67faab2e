import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "./support/child.ts";
import { median, numbersOf, printTable } from "./support/measure.ts";
import type { ServiceOrder, Worked } from "./support/watched-service.ts";
import type { Counted, TuiOrder } from "./support/watching-tui.ts";

/** What the terminal interface costs itself and the service that it shows, view by view. */

const { actors, rate, seconds, rounds, columns, rows } = numbersOf({
  actors: 500,
  rate: 50,
  seconds: 10,
  rounds: 3,
  columns: 200,
  rows: 60,
});
const actorsOfOne = 4;
const settlingMs = 1_500;
const nobody = "nobody watches";
/** With the keys that lead there. */
const views: readonly (readonly [name: string, keys: string | undefined])[] = [
  [nobody, undefined],
  ["actors", "1"],
  ["actors, filtered", "1/run\r"],
  ["runs", "3"],
  ["bus", "5"],
  ["logs", "6"],
  ["audit", "8"],
];

type Measured = { readonly service: Worked; readonly tui: Counted };

const home = mkdtempSync(join(tmpdir(), "statehive-bench-"));
for (const folder of ["config", "prompts"]) {
  cpSync(new URL(`../../../${folder}`, import.meta.url), join(home, folder), { recursive: true });
}
const service = await startChild(import.meta.url, "support/watched-service", [home]);
const { socket } = await service.ask<{ socket: string }>("where");
const tui = await startChild(import.meta.url, "support/watching-tui", [socket]);
const tell = <T>(order: ServiceOrder) => service.ask<T>(order);
const show = <T>(order: TuiOrder) => tui.ask<T>(order);

const filled = await tell<{ actors: number }>({
  do: "fill",
  conversations: Math.round(actors / actorsOfOne),
});
const warmUp = { turns: 20, ms: 1000 };
const { steps } = await tell<Worked>({
  do: "work",
  ms: warmUp.ms,
  turnsPerSecond: warmUp.turns,
});
const turnsPerSecond = (rate * warmUp.turns) / steps;

for (const [, keys] of views) await measure(keys, settlingMs);
const measured = new Map<string, Measured[]>(views.map(([name]) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, keys] of views) measured.get(name)?.push(await measure(keys));
}
await tui.close();
await service.close();
rmSync(home, { recursive: true });
report();

async function measure(keys: string | undefined, ms = seconds * 1000): Promise<Measured> {
  if (keys !== undefined) await show({ do: "open", columns, rows, keys });
  await tell({ do: "work", ms: settlingMs, turnsPerSecond });
  await show({ do: "count" });
  const worked = await tell<Worked>({ do: "work", ms, turnsPerSecond });
  const counted = await show<Counted>({ do: "count" });
  if (keys !== undefined) await show({ do: "close" });
  return { service: worked, tui: counted };
}

function of(name: string, value: (one: Measured) => number): number {
  return median((measured.get(name) ?? []).map(value));
}

function ofService({ service: { cpuMs, wallMs } }: Measured): number {
  return (100 * cpuMs) / wallMs;
}

function report(): void {
  const perSecond = (name: string, count: (counted: Counted) => number) =>
    of(name, (one) => (1000 * count(one.tui)) / one.service.wallMs);
  const alone = of(nobody, ofService);
  const pace = of(nobody, ({ service: { steps: taken, wallMs } }) => (1000 * taken) / wallMs);
  console.log(`${filled.actors} actors, ${pace.toFixed(0)} steps a second, ${columns}x${rows}`);
  printTable([
    ["view", "CPU of it, % of a core", "extra of the service", "frames/s", "KB/s"],
    ...views.map(([name]) => [
      name,
      (perSecond(name, ({ cpuMs }) => cpuMs) / 10).toFixed(1),
      (of(name, ofService) - alone).toFixed(2),
      perSecond(name, ({ writes }) => writes).toFixed(1),
      (perSecond(name, ({ bytes }) => bytes) / 1000).toFixed(1),
    ]),
  ]);
}
