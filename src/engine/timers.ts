import type { TimerParams } from "../schema/effect.ts";
import type { Address, EventMeta } from "../schema/events/event.ts";
import type { Alarm } from "./alarm.ts";
import type { Mail } from "./mail/mail.ts";
import { type TimerRow, timerTable } from "./tables.ts";
import type { Transaction } from "./transaction.ts";

/** Timers are rows with absolute times. */
export class Timers {
  private readonly alarm: Alarm;

  constructor(alarm: Alarm) {
    this.alarm = alarm;
  }

  set(tx: Transaction, meta: EventMeta, { id, delayMs, event }: TimerParams): void {
    const { self: address, seq, trace } = meta;
    const at = tx.now + Math.max(0, Math.ceil(delayMs));
    tx.store.put(timerTable, { address, id, seq, at, event, trace });
    tx.afterCommit(() => this.alarm.arm(at));
  }

  cancel(tx: Transaction, address: Address, id: string): void {
    tx.store.remove(timerTable, address, id);
  }

  /** What is due, in due order, at most `limit`; the alarm is armed for what comes next. */
  due(tx: Transaction, limit: number): TimerRow[] {
    const due = tx.store.select(timerTable, { index: "due", upTo: tx.now, limit });
    const next = due.length < limit ? firstAfter(tx, tx.now) : tx.now;
    tx.afterCommit(() => this.alarm.arm(next));
    return due;
  }

  /** The mail that a due timer becomes; undefined when it was cancelled or set anew meanwhile. */
  consume(tx: Transaction, { address, id, seq }: TimerRow): Mail | undefined {
    const row = tx.store.get(timerTable, address, id);
    if (row === undefined || row.seq !== seq || row.at > tx.now) return undefined;
    tx.store.remove(timerTable, address, id);
    const { event, trace } = row;
    return {
      address,
      event,
      origin: "timer",
      trace,
      cause: seq,
      source: { kind: "timer", id, seq },
    };
  }
}

/** However many timers wait, one row tells when the next is due. */
function firstAfter(tx: Transaction, now: number): number {
  const [next] = tx.store.select(timerTable, { index: "due", after: now, limit: 1 });
  return next?.at ?? Number.POSITIVE_INFINITY;
}
