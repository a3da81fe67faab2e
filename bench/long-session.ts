import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Message, messageTable } from "../src/schema/rows/session-rows.ts";
import { type BenchHive, createBenchHive, openStore } from "./support/bench-hive.ts";
import { countReads, type Reads } from "./support/count-reads.ts";
import { cpuOf, median, numbersOf, printTable } from "./support/measure.ts";
import { rounds, startModelServer } from "./support/model-server.ts";

/** A turn in a short and in a long session, and a turn beside few and beside many sessions: the same work, the same cost. */

const { turns, rounds: count, long } = numbersOf({ turns: 20, rounds: 7, long: 10_000 });
const model = await startModelServer();

type World = {
  readonly hive: BenchHive;
  readonly reads: Reads;
  readonly seed: (rows: number) => Promise<void>;
};

async function createWorld(file: string | undefined): Promise<World> {
  const { store, reads } = countReads(await openStore(file, "process"));
  const hive = createBenchHive({ url: model.url, store, streams: true });
  await hive.engine.start();
  const seed = async (rows: number) => {
    await hive.ask("measured", rounds(0));
    await hive.engine.settled();
    const [said] = await store.committed.select(messageTable, { index: "key", limit: 1 });
    if (said === undefined || rows === 0) return;
    store.begin();
    for (let at = 0; at < rows; at += 1) store.put(messageTable, olderThan(said, at));
    await store.commit();
  };
  return { hive, reads, seed };
}

/** Positions are multiples of 1000: what was said before fits below. */
function olderThan(said: Message, at: number): Message {
  const role = at % 2 === 0 ? "user" : "assistant";
  const content = [{ type: "text" as const, text: `message ${at}` }];
  return { ...said, position: said.position - 100_000 + at, run_id: "r0", role, content };
}

type Cost = {
  readonly cpuMs: number;
  readonly calls: number;
  readonly rows: number;
  readonly writes: number;
};

async function turn({ hive, reads }: World): Promise<Cost> {
  const before = { ...reads };
  const cpuMs = await cpuOf(async () => {
    for (let at = 0; at < turns; at += 1) await hive.ask("measured", rounds(0));
    await hive.engine.settled();
  });
  const per = (key: keyof Reads) => (reads[key] - before[key]) / turns;
  return { cpuMs: cpuMs / turns, calls: per("calls"), rows: per("rows"), writes: per("writes") };
}

async function compare(title: string, small: World, large: World): Promise<void> {
  const costs: { small: Cost; large: Cost }[] = [];
  for (let round = 0; round <= count; round += 1) {
    const flipped = round % 2 === 0;
    const first = await turn(flipped ? large : small);
    const second = await turn(flipped ? small : large);
    if (round > 0)
      costs.push(flipped ? { small: second, large: first } : { small: first, large: second });
  }
  const last = costs.at(-1) as (typeof costs)[number];
  const line = (name: "small" | "large") => {
    const { calls, rows, writes } = last[name];
    const cpu = median(costs.map((cost) => cost[name].cpuMs));
    return [name, cpu.toFixed(2), String(calls), String(rows), String(writes)];
  };
  const ratio = median(costs.map((cost) => cost.large.cpuMs / cost.small.cpuMs));
  console.log(`\n${title}: ratio ${ratio.toFixed(2)}x`);
  printTable([
    ["", "CPU ms a turn", "reads", "rows read", "rows written"],
    line("small"),
    line("large"),
  ]);
  await small.hive.engine.close();
  await large.hive.engine.close();
}

async function fillSessions({ hive }: World, sessions: number): Promise<void> {
  for (let at = 0; at < sessions; at += 50) {
    const batch = Array.from({ length: Math.min(50, sessions - at) }, (_, n) => `other${at + n}`);
    await Promise.all(batch.map((name) => hive.ask(name, rounds(0))));
  }
  await hive.engine.settled();
}

const directory = mkdtempSync(join(tmpdir(), "statehive-bench-"));
for (const kind of ["memory", "libsql"]) {
  const world = (name: string) =>
    createWorld(kind === "memory" ? undefined : join(directory, `${kind}-${name}.db`));
  const [short, deep] = [await world("short"), await world("long")];
  await short.seed(40);
  await deep.seed(long);
  await compare(`${kind}: a session of 40 and of ${long} messages`, short, deep);
  const [few, many] = [await world("few"), await world("many")];
  await few.seed(0);
  await many.seed(0);
  await fillSessions(few, 10);
  await fillSessions(many, long);
  await compare(`${kind}: beside 10 and beside ${long} sessions`, few, many);
}
rmSync(directory, { recursive: true });
await model.close();
