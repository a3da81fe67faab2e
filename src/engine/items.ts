import type { Address, EventData } from "../schema/event.ts";
import type { ActivityRunner } from "./activity-runner.ts";
import type { Settlement } from "./activity-kind.ts";
import type { CreateOptions, SendOptions, SendResult } from "./engine.ts";
import { newTrace } from "./intake.ts";
import type { Birth, Delivery, Mail } from "./mail.ts";
import type { Pump } from "./pump.ts";
import { activityTable, idempotencyTable } from "./tables.ts";
import type { TimerKey, TimerSweep } from "./timer-sweep.ts";
import type { Transaction } from "./transaction.ts";
import type { Item } from "./work-queue.ts";

/** The kinds of work that reach the writer. */

export type Sending = {
  readonly address: Address;
  readonly event: EventData;
  readonly send: SendOptions;
  resolve(result: SendResult): void;
  reject(error: unknown): void;
};

export type Creating = {
  readonly address: Address;
  readonly create: CreateOptions;
  readonly trace: string;
  resolve(result: SendResult): void;
  reject(error: unknown): void;
};

const timersPerSweep = 64;

export class ActivityItems {
  private readonly pump: Pump;
  private readonly runner: () => ActivityRunner;
  private readonly timers: () => TimerSweep;

  constructor(pump: Pump, runner: () => ActivityRunner, timers: () => TimerSweep) {
    this.pump = pump;
    this.runner = runner;
    this.timers = timers;
  }

  send(sending: Sending): Item {
    const { address, send } = sending;
    const key = send.idempotencyKey;
    let answered: SendResult | undefined;
    return {
      label: `${sending.event.type} to ${address}`,
      external: true,
      address,
      prepare: (tx) => {
        answered = key === undefined ? undefined : earlierAnswer(tx, key);
        return answered === undefined ? deliveriesOf(tx, sending) : [];
      },
      conclude: (tx, result) => {
        if (key === undefined) return;
        const { seq, outcome, state, reason = null } = result;
        tx.store.put(idempotencyTable, { key, seq, outcome, state, reason, at: tx.now });
      },
      done: (result) => sending.resolve((result ?? answered) as SendResult),
      failed: (error) => sending.reject(error),
    };
  }

  create(creating: Creating): Item {
    const { address, create, trace } = creating;
    return {
      label: `create ${address}`,
      external: true,
      address,
      prepare: () => [birth(address, create, trace)],
      done: (result) => creating.resolve(result as SendResult),
      failed: (error) => creating.reject(error),
    };
  }

  settle(key: string, settlement: Settlement): void {
    this.owe({
      label: `settle ${key}`,
      prepare: (tx) => {
        const mail = this.runner().consume(tx, key, settlement);
        return mail === undefined ? [] : [mail];
      },
    });
  }

  admit(src: string): void {
    this.owe({
      label: `admit ${src}`,
      prepare: (tx) => {
        this.runner().admitPending(tx, src);
        return [];
      },
    });
  }

  sweep(): void {
    this.owe({
      label: "timers",
      prepare: (tx) => {
        for (const key of this.timers().due(tx, timersPerSweep))
          tx.afterCommit(() => this.fire(key));
        return [];
      },
    });
  }

  private fire(key: TimerKey): void {
    this.owe({
      label: `timer ${key.address} ${key.id}`,
      prepare: (tx) => {
        const mail = this.timers().consume(tx, key);
        return mail === undefined ? [] : [mail];
      },
    });
  }

  /** Work that nobody asked for and that cannot be refused; after the end of the engine it is left to the next start. */
  owe(work: Pick<Item, "label" | "prepare"> & Partial<Item>): void {
    if (this.pump.stopped) return;
    this.pump.push({ external: false, done: () => {}, failed: () => {}, ...work });
  }

  /** A graceful end costs no attempt: what may be repeated waits again. */
  async giveBack(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    this.owe({
      label: "give back",
      prepare: (tx) => {
        for (const key of keys) giveBackOne(tx, key);
        return [];
      },
    });
    await this.pump.whenIdle();
  }
}

function giveBackOne(tx: Transaction, key: string): void {
  const row = tx.store.get(activityTable, key);
  if (row === undefined || row.status !== "started" || row.recovery === "once") return;
  tx.store.patch(activityTable, [key], { status: "pending", attempt: row.attempt - 1 });
}

function earlierAnswer(tx: Transaction, key: string): SendResult | undefined {
  const row = tx.store.get(idempotencyTable, key);
  if (row === undefined) return undefined;
  const { seq, outcome, state, reason } = row;
  return { seq, outcome, state, ...(reason === null ? {} : { reason }) };
}

function deliveriesOf(tx: Transaction, { address, event, send }: Sending): Delivery[] {
  const trace = send.trace ?? newTrace(address, tx.now);
  const mail: Mail = { address, event, origin: send.origin, trace, cause: null };
  if (send.create === undefined) return [mail];
  const status = tx.actor(address)?.row.status;
  if (status === "active" || status === "quarantined") return [mail];
  return [birth(address, send.create, trace), mail];
}

function birth(address: Address, create: CreateOptions, trace: string): Birth {
  return { address, birth: { ...create, parent: null }, trace, cause: null, origin: "api" };
}
