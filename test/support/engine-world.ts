import { z } from "zod";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { silentLog } from "../../src/adapters/log/json-log.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { BootReport, Engine, EngineOptions, Lookup } from "../../src/engine/engine.ts";
import { createMachineRegistry, type MachineEntry } from "../../src/engine/machine-registry.ts";
import { engineTables, type JournalRow, journalTable } from "../../src/engine/tables.ts";
import type { EffectAction } from "../../src/machines/effect-actions.ts";
import type { RowStore } from "../../src/ports/store.ts";
import type { EventRegistry } from "../../src/schema/events/event.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import type { Table } from "../../src/schema/rows/table.ts";
import { type PuppetContext, puppetMachine } from "../engine/fixtures/puppet.machine.ts";
import { type WorkerContext, workerMachine } from "../engine/fixtures/worker.machine.ts";
import type { Disk } from "./disks.ts";
import { createWorkshop, type Workshop } from "./workshop.ts";

/** An engine over fixture machines, a simulated clock and work that ends when the test says so. */

export type NoteRow = { id: string; owner: string; text: string };

export const noteTable: Table<NoteRow> = {
  name: "notes",
  columns: { id: "text", owner: "text", text: "text" },
  key: ["id"],
  indexes: { by_owner: { equals: ["owner"], order: ["id"] } },
  owner: "owner",
};

export const worldTables = [...engineTables, noteTable] as readonly Table[];

const anybody = ["actor", "channel", "cli", "tui", "api", "timer"] as const;

const event = (pokeable: boolean): EventRegistry[string] => ({
  payload: z.looseObject({}) as never,
  origins: anybody,
  pokeable,
  description: "An event of the fixtures.",
});

export const worldEvents: EventRegistry = {
  ...Object.fromEntries(
    [...puppetMachine.events, ...workerMachine.events].map((type) => [type, event(true)]),
  ),
  "puppet.end": event(false),
  "puppet.note": {
    ...event(true),
    payload: z.strictObject({ note: z.string() }),
    origins: ["cli", "actor", "timer"],
  },
};

const anyContext = { safeParse: () => ({ success: true }) };

export const puppetEntry: MachineEntry = { machine: puppetMachine, context: anyContext };
export const workerEntry: MachineEntry = { machine: workerMachine, context: anyContext };

const countNotes: Lookup = (read, { owner }) => {
  const notes = read.select(noteTable, { index: "by_owner", equals: [owner as string] });
  return [{ to: "self", event: { type: "puppet.note", note: `${notes.length} notes` } }];
};

const echo: Lookup = () => [
  {
    to: "self",
    event: {
      type: "puppet.do",
      effects: [{ type: "lookup", params: { name: "echo", args: {} } }],
    },
  },
];

const fail: Lookup = () => {
  throw new Error("the lookup failed");
};

const worldLookups = { countNotes, echo, fail };

export type WorldOptions = Partial<EngineOptions> & {
  readonly entries?: readonly MachineEntry[];
  /** Puts something between the engine and the rows. */
  readonly wrap?: (store: RowStore) => RowStore;
};

export type World = {
  readonly engine: Engine;
  readonly store: RowStore;
  readonly clock: ReturnType<typeof createSimulatedClock>;
  readonly workshop: Workshop;
  readonly report: BootReport;
  /** Resolves when nothing waits for the writer any more, whatever runs. */
  quiet(): Promise<void>;
  advance(ms: number): Promise<void>;
  /** Makes a puppet and returns its address. */
  puppet(address: string, input?: JsonObject): Promise<string>;
  worker(address: string): Promise<string>;
  /** Sends from the command line. */
  tell(address: string, type: string, payload?: JsonObject): ReturnType<Engine["send"]>;
  make(address: string, ...effects: readonly EffectAction[]): ReturnType<Engine["send"]>;
  seen(address: string): Promise<readonly string[]>;
  context<C = PuppetContext & WorkerContext>(address: string): Promise<C>;
  journal(): Promise<JournalRow[]>;
  /** The process dies; another starts on what is left, perhaps after a while. */
  dieAndStart(options?: WorldOptions & { readonly after?: number }): Promise<World>;
  /** Ends as a service should, then starts. */
  closeAndStart(options?: WorldOptions): Promise<World>;
};

type Life = Outside & { readonly options: WorldOptions };

export function openWorld(
  disk: Disk,
  options: WorldOptions = {},
  outside: Outside = newOutside(),
): Promise<World> {
  return start(disk, { ...outside, options });
}

/** What outlives a process besides its rows. */
export type Outside = Pick<World, "clock" | "workshop">;

export function newOutside(): Outside {
  return { clock: createSimulatedClock(1_000_000), workshop: createWorkshop() };
}

async function start(disk: Disk, { clock, workshop, options }: Life): Promise<World> {
  const { wrap = (rows) => rows, entries = [puppetEntry, workerEntry], ...changes } = options;
  const store = wrap(await disk.open());
  const engine = createEngine({
    store,
    clock,
    log: silentLog,
    machines: createMachineRegistry(entries),
    activities: activitiesOf(workshop),
    lookups: worldLookups,
    events: worldEvents,
    tables: [noteTable],
    redact: (value) => value,
    ...changes,
  });
  const report = await engine.start();
  const again = (more: WorldOptions) =>
    start(disk, { clock, workshop, options: { ...options, ...more } });
  const view = worldOver(engine, clock);
  await view.quiet();
  return {
    ...view,
    engine,
    store,
    clock,
    workshop,
    report,
    dieAndStart: async ({ after = 0, ...more } = {}) => {
      workshop.die();
      await disk.crash();
      clock.advance(after);
      return again(more);
    },
    closeAndStart: async (more = {}) => {
      await engine.close();
      await disk.crash();
      return again(more);
    },
  };
}

export function activitiesOf(workshop: Workshop): EngineOptions["activities"] {
  const retry = { attempts: 3, backoffMs: 100, maxBackoffMs: 1000 };
  return {
    repeatWork: workshop.kind({ recovery: "repeat", maxConcurrent: 2, retry }),
    keyedWork: workshop.kind({ recovery: "keyed", maxConcurrent: 2 }),
    onceWork: workshop.kind({ recovery: () => "once", maxConcurrent: 2, retry }),
  };
}

const nothingExpires = { journalBefore: 0, endedActorsBefore: 0, idempotencyBefore: 0 };

function worldOver(engine: Engine, clock: World["clock"]) {
  const quiet = async () => {
    do await engine.prune(nothingExpires);
    while (engine.health().queued > 0);
  };
  const tell: World["tell"] = (address, type, payload = {}) =>
    engine.send(address, { ...payload, type }, { origin: "cli" });
  const context = async <C>(address: string) =>
    (await engine.get(address))?.context as unknown as C;
  const create = async (address: string, machine: string, input: JsonObject) => {
    await engine.create(address, { machine, input });
    return address;
  };
  return {
    quiet,
    tell,
    context,
    advance: async (ms: number) => {
      clock.advance(ms);
      await quiet();
    },
    puppet: (address: string, input: JsonObject = {}) => create(address, "puppet", input),
    worker: (address: string) => create(address, "worker", {}),
    make: (address: string, ...effects: readonly EffectAction[]) =>
      tell(address, "puppet.do", { effects: effects as unknown as JsonObject[] }),
    seen: async (address: string) => {
      const { seen } = await context<PuppetContext>(address);
      return seen.map(({ type, note }) => (note === "" ? type : note));
    },
    journal: () => engine.read.select(journalTable, { index: "key" }),
  };
}
