import type { ErrorData } from "../schema/errors.ts";
import type { Address } from "../schema/event.ts";
import type { Carrier } from "./effects.ts";
import type { BootReport, EngineLimits, EngineOptions } from "./engine.ts";
import type { ActivityItems } from "./items.ts";
import { mailItem, type Pump } from "./pump.ts";
import {
  activityTable,
  type ActorRow,
  actorTable,
  counterTable,
  mailTable,
  timerTable,
} from "./tables.ts";
import { storeMail } from "./mailbox.ts";
import type { Transaction } from "./transaction.ts";

/** What a start reads is what is pending: open activities, unread mail, due timers, and which versions live. */

export type Booting = {
  readonly options: EngineOptions;
  readonly limits: EngineLimits;
  readonly pump: Pump;
  readonly carrier: Carrier;
  readonly items: ActivityItems;
};

export async function boot(booting: Booting): Promise<BootReport> {
  const { options, limits, pump, carrier } = booting;
  const { store, clock } = options;
  const lastSeq = store.get(counterTable, "seq")?.value ?? 0;
  pump.begin({ carrier, clock, limits }, lastSeq);
  const quarantined: Address[] = [];
  const counts = { resumed: 0, unknown: 0, mail: [] as number[] };
  await inTransaction(booting, (tx) => {
    quarantined.push(...checkVersions(booting, tx));
    recoverActivities(booting, tx, counts);
    counts.mail.push(
      ...store.select(mailTable, { index: "key" }).map((row) => row.id),
      ...dueTimersAsMail(tx),
    );
  });
  for (const id of counts.mail) queueRecovered(booting, id);
  booting.items.sweep();
  return {
    resumedActivities: counts.resumed,
    unknownOutcomes: counts.unknown,
    pendingMail: counts.mail.length,
    quarantined,
  };
}

function inTransaction(booting: Booting, work: (tx: Transaction) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    booting.pump.push({
      label: "boot",
      external: true,
      prepare: (tx) => {
        work(tx);
        return [];
      },
      done: () => resolve(),
      failed: reject,
    });
  });
}

/** Rows of another version are migrated, or set aside with the reason; the rest of the service starts. */
function checkVersions({ options }: Booting, tx: Transaction): Address[] {
  const { store, machines } = options;
  const outdated = store
    .distinct(actorTable, "by_version", "active")
    .filter(({ machine = "", version = "" }) => {
      return machines.get(machine)?.version !== version;
    });
  if (outdated.length === 0) return [];
  const names = new Set(outdated.map(({ machine, version }) => `${machine}@${version}`));
  return store
    .select(actorTable, { index: "by_version", equals: ["active"] })
    .filter((row) => names.has(`${row.machine}@${row.version}`))
    .filter((row) => !migrated(options, tx, row))
    .map((row) => row.address);
}

function migrated({ machines }: EngineOptions, tx: Transaction, row: ActorRow): boolean {
  const entry = machines.get(row.machine);
  const migrate = entry?.migrations?.[row.version];
  if (entry !== undefined && migrate !== undefined) {
    const snapshot = migrate(row.snapshot);
    if (entry.context.safeParse(snapshot.context).success) {
      tx.store.patch(actorTable, [row.address], { snapshot, version: entry.version });
      return true;
    }
  }
  const error: ErrorData = {
    code: "actor.quarantined",
    message: `${row.machine}@${row.version} is not known to this version and has no migration`,
    retryable: false,
  };
  tx.store.patch(actorTable, [row.address], { status: "quarantined", error, ended_at: tx.now });
  return false;
}

type Counts = { resumed: number; unknown: number };

function recoverActivities(
  { options, carrier, items }: Booting,
  tx: Transaction,
  counts: Counts,
): void {
  for (const row of options.store.select(activityTable, { index: "key" })) {
    const settlement = carrier.runner.recover(tx, row);
    if (settlement === undefined) {
      counts.resumed += 1;
      continue;
    }
    if (!settlement.ok && settlement.error.code === "activity.outcome_unknown") counts.unknown += 1;
    tx.afterCommit(() => items.settle(row.key, settlement));
  }
}

/** Acknowledged mail goes before timers that fell due while the service was down. */
function dueTimersAsMail(tx: Transaction): number[] {
  return tx.store.select(timerTable, { index: "due", upTo: tx.now }).map((row) => {
    tx.store.remove(timerTable, row.address, row.id);
    return storeMail(tx, {
      address: row.address,
      event: row.event,
      origin: "timer",
      trace: row.trace,
      cause: row.seq,
      source: { kind: "timer", id: row.id, seq: row.seq },
    });
  });
}

/** Each is counted, in a commit of its own, before it is looked at: mail that kills the process is given up after some deaths. */
function queueRecovered({ limits, items }: Booting, id: number): void {
  let attempts = 0;
  items.owe({
    label: `count ${id}`,
    solo: true,
    prepare: (tx) => {
      attempts = (tx.store.get(mailTable, id)?.attempts ?? 0) + 1;
      tx.store.patch(mailTable, [id], { attempts });
      return [];
    },
    done: () => {
      if (attempts <= limits.lostAttempts) return;
      const message = `the service died ${limits.lostAttempts} times while it processed this event`;
      Object.assign(item, {
        poison: { at: 0, error: { code: "activity.crash_loop", message, retryable: false } },
      });
    },
  });
  const item = { ...mailItem(id), solo: true };
  items.owe(item);
}
