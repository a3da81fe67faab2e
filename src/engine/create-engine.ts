import { AgentError } from "../schema/errors.ts";
import type { Address, EventData } from "../schema/event.ts";
import type { Table } from "../schema/table.ts";
import { ActivityRunner } from "./activity-runner.ts";
import type { Settlement } from "./activity-kind.ts";
import { ActorCache } from "./actor-cache.ts";
import { viewActor } from "./actor-view.ts";
import { boot } from "./boot.ts";
import type { Carrier } from "./effects.ts";
import {
  type BootReport,
  type CreateOptions,
  defaultLimits,
  type Engine,
  type EngineOptions,
  type Notice,
  type SendOptions,
  type SendResult,
} from "./engine.ts";
import { admitEvent, newTrace } from "./intake.ts";
import { ActivityItems } from "./items.ts";
import { Listeners } from "./listeners.ts";
import { prune } from "./prune.ts";
import { Pump } from "./pump.ts";
import { type ActorRow, actorTable, type JournalRow } from "./tables.ts";
import { TimerSweep } from "./timer-sweep.ts";

/** The one implementation of the engine over any row store. */
export function createEngine(options: EngineOptions): Engine {
  const limits = { ...defaultLimits, ...options.limits };
  const { store, clock, log, machines } = options;
  const steps = new Listeners<[JournalRow, ActorRow | undefined]>(log);
  const notices = new Listeners<[Notice]>(log);
  const cache = new ActorCache(machines, limits.cachedActors);
  const pump = new Pump({
    store,
    cache,
    clock,
    log,
    limits,
    faultPoint: options.faultPoint ?? (() => {}),
    onCommitted: (tx) => {
      for (const { row, actor } of tx.steps) steps.tell(row, actor);
    },
  });
  const items = new ActivityItems(
    pump,
    () => runner,
    () => timers,
  );
  const timers = new TimerSweep(clock, limits.timerSweepMs, () => items.sweep());
  const runner: ActivityRunner = new ActivityRunner({
    kinds: options.activities,
    lostAttempts: limits.lostAttempts,
    redact: options.redact,
    settle: (key: string, settlement: Settlement) => items.settle(key, settlement),
    admit: (src) => items.admit(src),
    wakeAfter: (src, delayMs) => void clock.after(delayMs, () => items.admit(src)),
    notify: (notice) => notices.tell(notice),
  });
  const carrier: Carrier = {
    machines,
    tables: new Map(options.tables.map((table) => [table.name, table])),
    ownedTables: options.tables.filter((table: Table) => table.owner !== undefined),
    completions: options.completions ?? {},
    lookups: options.lookups,
    runner,
    timers,
    tell: (told) => notices.tell({ ...told, activity: null, attempt: 0, offset: 0 }),
  };
  let closed = false;

  const submit = (address: Address, event: EventData, send: SendOptions) =>
    new Promise<SendResult>((resolve, reject) => {
      if (closed) throw new AgentError("engine.closed", "the engine is closed");
      pump.push(items.send({ address, event, send, resolve, reject }));
    });

  return {
    async start(): Promise<BootReport> {
      const report = await boot({ options, limits, pump, carrier, items });
      pump.wake();
      return report;
    },
    create: (address: Address, create: CreateOptions & { trace?: string }) =>
      new Promise((resolve, reject) => {
        const trace = create.trace ?? newTrace(address, clock.now());
        pump.push(items.create({ address, create, trace, resolve, reject }));
      }),
    async send(address, event, send) {
      admitEvent(options.events, event, send);
      return submit(address, event, send);
    },
    get: async (address) => viewActor(machines, await store.committed.get(actorTable, address)),
    actors: async ({ status, prefix, limit = 1000 }) => {
      const rows =
        status === undefined
          ? await store.committed.select(actorTable, { index: "key", ...between(prefix), limit })
          : await store.committed.select(actorTable, {
              index: "by_version",
              equals: [status],
              limit,
            });
      return rows.filter((row) => prefix === undefined || row.address.startsWith(prefix));
    },
    read: store.committed,
    onStep: (listener) => steps.add(listener),
    onNotice: (listener) => notices.add(listener),
    health: () => ({
      degraded: pump.degraded,
      queued: pump.queue.length,
      cachedActors: cache.size,
      runningActivities: runner.size,
    }),
    settled: async () => {
      while (pump.busy || runner.size > 0) {
        await pump.whenIdle();
        await runner.whenEmpty();
      }
    },
    prune: (keep) => prune(pump, keep, carrier.tables),
    async close(graceMs = 0) {
      if (closed) return;
      closed = true;
      timers.close();
      await runner.close(clock, graceMs);
      await pump.whenIdle();
      await items.giveBack(runner.interrupted);
      pump.stop();
      await store.close();
    },
  };
}

function between(prefix: Address | undefined) {
  return prefix === undefined ? {} : { from: prefix, before: `${prefix}\u{10ffff}` };
}
