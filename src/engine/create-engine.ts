import type { ErrorData } from "../schema/errors.ts";
import type { Table } from "../schema/rows/table.ts";
import { Activities } from "./activities/activities.ts";
import { ActorCache } from "./actor-cache.ts";
import { listActors, viewActor } from "./views/actor-view.ts";
import { Alarm } from "./alarm.ts";
import { type Stock, takeStock } from "./boot.ts";
import { admitWork, giveBackWork, settleWork, sweepWork } from "./due-work.ts";
import {
  type BootReport,
  defaultLimits,
  type Engine,
  type EngineOptions,
  type Notice,
  type SendResult,
} from "./engine.ts";
import { admitEvent, refuseSecretNames } from "./mail/intake.ts";
import { Listeners } from "./listeners.ts";
import { createWork, sendWork, writeWork } from "./mail/outside.ts";
import { prune } from "./prune.ts";
import { Pump } from "./pump.ts";
import { recoveryWork } from "./recovery.ts";
import { retireWork } from "./life/retirement.ts";
import { RunningActivities } from "./activities/running-activities.ts";
import { type ActorRow, counterTable, type JournalRow } from "./tables.ts";
import { Timers } from "./timers.ts";
import type { Written } from "./transaction.ts";

/** The one implementation of the engine over any row store. */
export function createEngine(options: EngineOptions): Engine {
  const assembly = assemble(options);
  const { pump, running, cache, steps, notices, healths } = assembly;
  const { store, machines, events, redact } = options;
  let closing: Promise<void> | undefined;
  return {
    start: () => start(options, assembly),
    create: (address, create) =>
      new Promise((resolve, reject) => {
        pump.submit(createWork({ address, options: create, resolve, reject }));
      }),
    send: (address, event, send) =>
      new Promise<SendResult>((resolve, reject) => {
        admitEvent(events, event, send);
        refuseSecretNames(redact, { address, key: send.idempotencyKey ?? null });
        const sending = { address, event: redact(event), options: send, resolve, reject };
        pump.submit(sendWork(assembly.parts, sending));
      }),
    retire: (address, writes = []) =>
      new Promise((resolve, reject) => {
        pump.submit(retireWork(assembly.parts, { address, writes, resolve, reject }));
      }),
    write: (writes) =>
      new Promise((resolve, reject) => {
        pump.submit(writeWork(assembly.parts, { writes, resolve, reject }));
      }),
    get: (address) => viewActor(store.committed, machines, address),
    actors: (filter) => listActors(store.committed, filter),
    read: store.committed,
    onStep: (listener) => steps.add(listener),
    onNotice: (listener) => notices.add(listener),
    onHealth: (listener) => healths.add(listener),
    health: () => ({
      degraded: pump.degraded,
      queued: pump.queued,
      cachedActors: cache.size,
      runningActivities: running.size,
      busy: running.addresses,
    }),
    settled: () => pump.when(() => !pump.isBusy && (pump.isDead || running.size === 0)),
    prune: (keep) => prune(pump, keep, assembly.parts.tables),
    drain: (graceMs) => drain(options, assembly, graceMs),
    close: (graceMs = 0) => (closing ??= close(options, assembly, graceMs)),
  };
}

type Assembly = ReturnType<typeof assemble>;

function assemble(options: EngineOptions) {
  const limits = { ...defaultLimits, ...options.limits };
  const { store, clock, log, machines, lookups, completions = {}, redact } = options;
  const steps = new Listeners<[JournalRow, ActorRow | undefined]>(log);
  const notices = new Listeners<[Notice]>(log);
  const healths = new Listeners<[ErrorData | null]>(log);
  const notify = (notice: Notice) => notices.tell(notice);
  const cache = new ActorCache(limits.cachedActors);
  const alarm = new Alarm(clock, limits.timerSweepMs);
  const timers = new Timers(alarm);
  const running = new RunningActivities({
    redact,
    notify,
    ended: ({ key, src }, settlement, noticed) => {
      activities.release(src);
      pump.owe(settleWork(activities, { key, settlement, noticed }));
      if (activities.isQueued(src, clock.now())) pump.owe(admitWork(activities));
    },
  });
  const { activities: kinds } = options;
  const { lostAttempts } = limits;
  const activities = new Activities({ kinds, running, alarm, lostAttempts, notify });
  const tables = new Map<string, Table>(options.tables.map((table) => [table.name, table]));
  const parts = {
    clock,
    limits,
    machines,
    lookups,
    tables,
    completions,
    activities,
    timers,
    notify,
  };
  const onCommitted = (written: readonly Written[]) => {
    for (const { row, actor } of written) steps.tell(row, actor);
  };
  const faultPoint = options.faultPoint ?? (() => {});
  const onHealth = (degraded: ErrorData | null) => healths.tell(degraded);
  const pump = new Pump({ ...parts, store, cache, log, faultPoint, onCommitted, onHealth });
  const sweep = () => pump.owe(sweepWork(timers, activities, (work) => pump.owe(work)));
  alarm.start(sweep);
  return { parts, pump, cache, alarm, running, activities, steps, notices, healths, sweep };
}

function start(options: EngineOptions, assembly: Assembly): Promise<BootReport> {
  const { pump, parts, sweep } = assembly;
  const { store, machines, events } = options;
  pump.open(store.get(counterTable, "seq")?.value ?? 0);
  return new Promise((resolve, reject) => {
    let stock: Stock | undefined;
    pump.submit({
      label: "boot",
      prepare: (tx) => {
        stock = takeStock({ parts, tx });
        tx.afterCommit(sweep);
        return [];
      },
      next: () => recoveryWork({ machines, events, limits: parts.limits }, stock?.mail ?? []),
      done: () => resolve((stock as Stock).report),
      failed: reject,
    });
  });
}

async function close(options: EngineOptions, assembly: Assembly, graceMs: number): Promise<void> {
  const { pump } = assembly;
  pump.closeIntake();
  await drain(options, assembly, graceMs);
  pump.stop("the engine is closed");
  await options.store.close();
}

async function drain({ clock }: EngineOptions, parts: Assembly, graceMs: number): Promise<void> {
  const { pump, alarm, running, activities } = parts;
  alarm.close();
  const giveBack = (cutOff: readonly string[]) => {
    if (cutOff.length > 0) pump.owe(giveBackWork(activities, cutOff));
  };
  activities.close();
  giveBack(running.abortWaiting());
  await running.whenEmptyOr(clock, graceMs);
  giveBack(running.abortAll());
  await pump.whenIdleOrDegraded();
}
