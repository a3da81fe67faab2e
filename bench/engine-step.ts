import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSystemClock } from "../src/adapters/clock/system-clock.ts";
import type { Durability } from "../src/adapters/engine/libsql-store.ts";
import { createMemoryStore } from "../src/adapters/engine/memory-store.ts";
import { openLibsqlStore } from "../src/adapters/engine/open-libsql.ts";
import { silentLog } from "../src/adapters/log/json-log.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import type { Engine } from "../src/engine/engine.ts";
import { firstStep, nextStep } from "../src/engine/kernel/kernel.ts";
import { createMachineRegistry } from "../src/engine/machine-registry.ts";
import { actorTable, counterTable, type JournalRow, journalTable } from "../src/engine/tables.ts";
import type { RowStore } from "../src/ports/store.ts";
import type { EventMeta } from "../src/schema/events/event.ts";
import { puppetMachine } from "../test/engine/fixtures/puppet.machine.ts";
import { puppetEntry, worldEvents, worldTables } from "../test/support/engine-world.ts";

/** CPU of the kernel alone, of a whole step in memory, and of a durable step against a bare transaction of the same rows.
 *  Run with NODE_ENV=production, bundled by esbuild: tsx names every function anew, which costs a step a fifth. Figures are medians of rounds; the ratios are what counts on a busy machine. */

const steps = Number(process.argv[2] ?? 4000);
const rounds = 5;
const events = ["puppet.sleep", "puppet.wake"] as const;
const eventOf = (number: number) => ({ type: events[number % 2] as string });

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function cpuOf(work: () => Promise<void> | void): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / steps;
}

async function medianOf(work: () => Promise<void> | void): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const cost = await cpuOf(work);
    if (round > 0) found.push(cost);
  }
  return median(found);
}

const meta = (seq: number): EventMeta => ({
  at: 1,
  seq,
  trace: "t",
  cause: null,
  origin: "cli",
  self: "a",
});

function kernelAlone(): () => void {
  let { state } = firstStep(puppetMachine, {}, meta(1));
  return () => {
    for (let number = 0; number < steps; number += 1)
      state = nextStep(state, { ...eventOf(number), $: meta(number + 2) }).state;
  };
}

type Contender = { readonly run: () => Promise<void>; readonly close: () => Promise<void> };

async function engineOver(store: RowStore, actors: number): Promise<Contender> {
  const engine: Engine = createEngine({
    store,
    clock: createSystemClock(),
    log: silentLog,
    machines: createMachineRegistry([puppetEntry]),
    activities: {},
    lookups: {},
    events: worldEvents,
    tables: [],
    redact: (value) => value,
  });
  await engine.start();
  for (let number = 0; number < actors; number += 1)
    await engine.create(`p/${number}`, { machine: "puppet", input: {} });
  return {
    close: () => engine.close(),
    run: async () => {
      for (let number = 0; number < steps; number += actors) {
        const sends = Array.from({ length: actors }, (_, at) =>
          engine.send(`p/${at}`, eventOf(number / actors), { origin: "cli" }),
        );
        await Promise.all(sends);
      }
    },
  };
}

/** The rows of such a step, written by hand: what no engine can save. */
async function bareOver(store: RowStore, actors: number): Promise<Contender> {
  const engine = await engineOver(store, actors);
  const rows = Array.from({ length: actors }, (_, at) => store.get(actorTable, `p/${at}`));
  const journal = store.select(journalTable, { index: "key", limit: 1 })[0] as JournalRow;
  let seq = 1_000_000;
  const writeStep = (at: number) => {
    seq += 1;
    const { address = "", snapshot } = rows[at] ?? {};
    const since = Date.now();
    const changes = { snapshot: snapshot as never, seq, state: "asleep", since };
    store.patch(actorTable, [address], changes);
    store.put(journalTable, { ...journal, seq, address, at: since });
  };
  return {
    close: () => engine.close(),
    run: async () => {
      for (let number = 0; number < steps; number += actors) {
        store.begin();
        for (let at = 0; at < actors; at += 1) writeStep(at);
        store.put(counterTable, { name: "seq", value: seq });
        await store.commit();
      }
    },
  };
}

async function compare(directory: string, durability: Durability, actors: number): Promise<void> {
  const open = (name: string) =>
    openLibsqlStore({
      url: `file:${join(directory, `${name}-${durability}-${actors}.db`)}`,
      tables: worldTables,
      durability,
    });
  const engine = await engineOver(await open("engine"), actors);
  const bare = await bareOver(await open("bare"), actors);
  const cost = { engine: await medianOf(engine.run), bare: await medianOf(bare.run) };
  await engine.close();
  await bare.close();
  console.log(
    `${durability}, ${actors} actors at once: ${cost.engine.toFixed(1)} µs CPU a step, bare rows ${cost.bare.toFixed(1)}, ratio ${(cost.engine / cost.bare).toFixed(2)}`,
  );
}

const directory = mkdtempSync(join(tmpdir(), "statehive-bench-"));
try {
  console.log(`kernel alone: ${(await medianOf(kernelAlone())).toFixed(1)} µs CPU a step`);
  for (const actors of [1, 100]) {
    const memory = await engineOver(createMemoryStore({ tables: worldTables }), actors);
    console.log(
      `memory, ${actors} actors at once: ${(await medianOf(memory.run)).toFixed(1)} µs CPU a step`,
    );
    await memory.close();
  }
  await compare(directory, "process", 1);
  await compare(directory, "process", 100);
  await compare(directory, "power", 100);
} finally {
  rmSync(directory, { recursive: true });
}
