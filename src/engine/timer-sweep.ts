import type { Clock } from "../ports/clock.ts";
import type { Mail } from "./mail.ts";
import { type TimerRow, timerTable } from "./tables.ts";
import type { Transaction } from "./transaction.ts";

/** Timers are rows with absolute times; the clock is only asked to wake up for the earliest, and at least every sweep. */

export type TimerKey = { readonly address: string; readonly id: string; readonly seq: number };

export class TimerSweep {
  private readonly clock: Clock;
  private readonly sweepMs: number;
  private readonly onDue: () => void;
  private wakesAt = Number.POSITIVE_INFINITY;
  private cancel: (() => void) | undefined;

  constructor(clock: Clock, sweepMs: number, onDue: () => void) {
    this.clock = clock;
    this.sweepMs = sweepMs;
    this.onDue = onDue;
  }

  set(tx: Transaction, row: TimerRow): void {
    tx.store.put(timerTable, row);
    tx.afterCommit(() => this.arm(row.at));
  }

  arm(at: number): void {
    if (at >= this.wakesAt) return;
    this.cancel?.();
    const delay = Math.min(Math.max(0, at - this.clock.now()), this.sweepMs);
    this.wakesAt = this.clock.now() + delay;
    this.cancel = this.clock.after(delay, () => {
      this.wakesAt = Number.POSITIVE_INFINITY;
      this.onDue();
    });
  }

  /** The keys of timers that are due, in due order; arms itself for the next one. */
  due(tx: Transaction, limit: number): TimerKey[] {
    const rows = tx.store.select(timerTable, { index: "due", limit: limit + 1 });
    const due = rows.filter((row) => row.at <= tx.now).slice(0, limit);
    const next = rows[due.length];
    tx.afterCommit(() =>
      this.arm(next === undefined ? tx.now + this.sweepMs : Math.max(next.at, tx.now)),
    );
    return due.map(({ address, id, seq }) => ({ address, id, seq }));
  }

  /** The mail that a due timer becomes; undefined when it was cancelled or set anew meanwhile. */
  consume(tx: Transaction, key: TimerKey): Mail | undefined {
    const row = tx.store.get(timerTable, key.address, key.id);
    if (row === undefined || row.seq !== key.seq || row.at > tx.now) return undefined;
    tx.store.remove(timerTable, key.address, key.id);
    return {
      address: row.address,
      event: row.event,
      origin: "timer",
      trace: row.trace,
      cause: row.seq,
      source: { kind: "timer", id: row.id, seq: row.seq },
    };
  }

  close(): void {
    this.cancel?.();
    this.wakesAt = Number.NEGATIVE_INFINITY;
  }
}
