import { type Child, startChild } from "./support/child.ts";
import { type ContenderKind, contenderKinds } from "./support/contender-kinds.ts";
import type { Order } from "./support/contender.ts";
import { median, numbersOf, printTable } from "./support/measure.ts";
import { startModelServer } from "./support/model-server.ts";

/** What a run costs beside a hand-written loop over the SDK: each contender in a process of its own, rounds interleaved. */

const options = numbersOf({
  rounds: 7,
  runs: 30,
  warmUp: 300,
  toolRounds: 10,
  width: 100,
  sessions: 300,
});

type Team = ReadonlyMap<ContenderKind, Child>;
type Cost = { readonly cpuMs: number; readonly wallMs: number };

async function gather(url: string, mode: "json" | "streaming"): Promise<Team> {
  const team = new Map<ContenderKind, Child>();
  for (const kind of contenderKinds) {
    team.set(kind, await startChild(import.meta.url, "support/contender", [kind, url, mode]));
  }
  return team;
}

async function disband(team: Team): Promise<void> {
  for (const child of team.values()) {
    await child.ask({ do: "close" } satisfies Order);
    await child.close();
  }
}

async function warmUp(team: Team, order: Order & { do: "runs" }): Promise<void> {
  for (const child of team.values()) await child.ask({ ...order, runs: options.warmUp });
}

/** Each round asks every contender, in turn and from another one first. */
async function interleaved<T>(team: Team, count: number, ask: (child: Child) => Promise<T>) {
  const found = new Map<ContenderKind, T[]>(contenderKinds.map((kind) => [kind, []]));
  for (let round = 0; round < count; round += 1) {
    for (let turn = 0; turn < contenderKinds.length; turn += 1) {
      const kind = contenderKinds[(round + turn) % contenderKinds.length] as ContenderKind;
      const measured = await ask(team.get(kind) as Child);
      found.get(kind)?.push(measured);
    }
  }
  return found;
}

/** The median of each round's ratio to the floor of the same round. */
function ratios(
  values: ReadonlyMap<ContenderKind, readonly number[]>,
  kind: ContenderKind,
): string {
  const floor = values.get("floor") ?? [];
  const own = values.get(kind) ?? [];
  return `${median(own.map((value, at) => value / (floor[at] ?? Number.NaN))).toFixed(2)}x`;
}

async function compareCpu(team: Team, title: string, order: Order & { do: "runs" }) {
  const costs = await interleaved(team, options.rounds, (child) => child.ask<Cost>(order));
  const cpu = new Map([...costs].map(([kind, list]) => [kind, list.map(({ cpuMs }) => cpuMs)]));
  const wall = new Map([...costs].map(([kind, list]) => [kind, list.map(({ wallMs }) => wallMs)]));
  console.log(`\n${title}`);
  printTable([
    ["", "CPU ms a run", "ratio", "wall ms a run"],
    ...contenderKinds.map((kind) => [
      kind,
      median(cpu.get(kind) ?? []).toFixed(2),
      ratios(cpu, kind),
      median(wall.get(kind) ?? []).toFixed(2),
    ]),
  ]);
}

async function compareFirstToken(team: Team): Promise<void> {
  const found = await interleaved(team, 100, (child) =>
    child.ask<{ ms: number }>({ do: "first_token" } satisfies Order),
  );
  const of = (kind: ContenderKind) => median((found.get(kind) ?? []).map(({ ms }) => ms));
  console.log("\ntime to the first token, streaming");
  printTable([
    ["", "ms", "added ms"],
    ...contenderKinds.map((kind) => [
      kind,
      of(kind).toFixed(2),
      (of(kind) - of("floor")).toFixed(2),
    ]),
  ]);
}

async function bytes(child: Child, what: "heap" | "disk"): Promise<number> {
  return (await child.ask<{ bytes: number }>({ do: what } satisfies Order)).bytes;
}

/** Four tool rounds: user, four calls with results, text: ten messages a session. */
async function compareKept(team: Team): Promise<void> {
  const order: Order = { do: "runs", runs: options.sessions, rounds: 4, width: 1 };
  const rows: string[][] = [["", "heap KB", "disk KB"]];
  for (const kind of contenderKinds) {
    const child = team.get(kind) as Child;
    await child.ask(order);
    const before = { heap: await bytes(child, "heap"), disk: await bytes(child, "disk") };
    await child.ask(order);
    const kept = (after: number, was: number) =>
      ((after - was) / options.sessions / 1024).toFixed(1);
    rows.push([
      kind,
      kept(await bytes(child, "heap"), before.heap),
      kept(await bytes(child, "disk"), before.disk),
    ]);
  }
  console.log("\nkept per session of ten messages");
  printTable(rows);
}

const model = await startModelServer();
const order = { do: "runs", runs: options.runs, rounds: options.toolRounds, width: 1 } as const;
const json = await gather(model.url, "json");
await warmUp(json, order);
await compareCpu(json, `K=${options.toolRounds}, JSON`, order);
await disband(json);
const streaming = await gather(model.url, "streaming");
await warmUp(streaming, order);
await compareCpu(streaming, `K=${options.toolRounds}, streaming`, order);
await compareCpu(streaming, `K=${options.toolRounds}, streaming, ${options.width} at a time`, {
  ...order,
  runs: options.width,
  width: options.width,
});
await compareFirstToken(streaming);
await compareKept(streaming);
await disband(streaming);
await model.close();
