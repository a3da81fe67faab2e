import { type ErrorData, toErrorData } from "../../schema/errors.ts";
import type { EventMeta } from "../../schema/events/event.ts";
import type { Json } from "../../schema/json.ts";
import type { ActivityKind, ActivityKinds, Settlement } from "./activity-kind.ts";
import {
  cutOff,
  lostSettlement,
  settlementMail,
  stoppedMail,
  unstarted,
} from "./activity-settlement.ts";
import type { Alarm } from "../alarm.ts";
import type { Notice } from "../engine.ts";
import type { Mail } from "../mail/mail.ts";
import type { RunningActivities } from "./running-activities.ts";
import { type ActivityRow, activityTable } from "../tables.ts";
import type { Transaction } from "../transaction.ts";

export type ActivitiesParts = {
  readonly kinds: ActivityKinds;
  readonly running: RunningActivities;
  readonly alarm: Alarm;
  readonly lostAttempts: number;
  readonly notify: (notice: Notice) => void;
};

/** An attempt has ended; `noticed` is how many notices it gave. */
export type Ending = {
  readonly key: string;
  readonly settlement: Settlement;
  readonly noticed: number;
};

type AttemptEnd = { readonly settlement: Settlement; readonly isLost?: boolean };

type Asked = { readonly id: string; readonly src: string; readonly input: Json };

/** Activities as rows: the queue of what waits, and the marks of what was started. The work itself begins after the commit. */
export class Activities {
  private readonly parts: ActivitiesParts;
  private readonly occupied = new Map<string, number>();
  private readonly starting = new Set<string>();
  /** Queues with pending rows, and when the first of those may start. */
  private readonly queued = new Map<string, number>();
  private closing = false;

  constructor(parts: ActivitiesParts) {
    this.parts = parts;
  }

  private kind(src: string): ActivityKind | undefined {
    const name = kindIn(src);
    return Object.hasOwn(this.parts.kinds, name) ? this.parts.kinds[name] : undefined;
  }

  begin(tx: Transaction, meta: EventMeta, { id, src, input }: Asked): Mail[] {
    const kind = this.kind(src);
    const recovery =
      typeof kind?.recovery === "function" ? kind.recovery(input as never) : kind?.recovery;
    const row: ActivityRow = {
      key: `${meta.self}/${id}#${meta.seq}`,
      address: meta.self,
      id,
      src: queueOf(src, kind, input),
      seq: meta.seq,
      input,
      recovery: recovery ?? "once",
      attempt: 0,
      failed: 0,
      lost: 0,
      status: "pending",
      not_before: 0,
      error: null,
      trace: meta.trace,
    };
    if (kind === undefined) return [settlementMail(row, missing(src))];
    const isNext = this.room(row.src, kind) > 0 && (this.queued.get(row.src) ?? Infinity) > tx.now;
    if (isNext) return this.start(tx, row, kind);
    tx.store.put(activityTable, row);
    this.queueWith(tx, row.src);
    return [];
  }

  /** At once: a slot that gets free while this is committed is for this row too. Again after the commit: an admission before it in
   *  this transaction has not seen the row. */
  private queueWith(tx: Transaction, src: string): void {
    this.queue(src, 0);
    tx.afterCommit(() => this.queue(src, 0));
  }

  private room(src: string, kind: ActivityKind): number {
    return this.closing ? 0 : kind.maxConcurrent - (this.occupied.get(src) ?? 0);
  }

  private queue(src: string, at: number): void {
    this.queued.set(src, Math.min(at, this.queued.get(src) ?? Infinity));
  }

  /** The started mark, in the transaction that checks once more whether it may start. */
  private start(tx: Transaction, row: ActivityRow, kind: ActivityKind): Mail[] {
    const refusal = refusalOf(tx, row, kind);
    if (refusal !== undefined) {
      tx.store.remove(activityTable, row.key);
      return [settlementMail(row, { ok: false, error: refusal })];
    }
    const started: ActivityRow = { ...row, attempt: row.attempt + 1, status: "started" };
    tx.store.put(activityTable, started);
    this.occupy(tx, row.src, 1);
    this.starting.add(row.key);
    tx.onRollback(() => void this.starting.delete(row.key));
    tx.afterCommit(() => {
      if (this.starting.delete(row.key) && !this.isTooLateFor(kind))
        this.parts.running.launch(started, kind);
    });
    return [];
  }

  /** It would be cut off at once; the next start finds its mark. */
  private isTooLateFor({ waits }: ActivityKind): boolean {
    return waits === true && this.closing;
  }

  private occupy(tx: Transaction, src: string, change: number): void {
    const add = (count: number) => this.occupied.set(src, (this.occupied.get(src) ?? 0) + count);
    add(change);
    tx.onRollback(() => void add(-change));
  }

  /** Work of this queue has ended, whatever becomes of its settlement. */
  release(src: string): void {
    this.occupied.set(src, (this.occupied.get(src) ?? 0) - 1);
  }

  /** Whether something waits in this queue that may start now. */
  isQueued(src: string, now: number): boolean {
    return (this.queued.get(src) ?? Infinity) <= now;
  }

  /** Starts as many pending activities as there is room for, oldest first; the alarm is armed for those that wait. */
  admit(tx: Transaction): Mail[] {
    const due = [...this.queued.keys()].filter((src) => this.isQueued(src, tx.now));
    const refusals = due.flatMap((src) => this.admitFrom(tx, src));
    tx.afterCommit(() => {
      for (const at of this.queued.values()) if (at > tx.now) this.parts.alarm.arm(at);
    });
    return refusals;
  }

  private admitFrom(tx: Transaction, src: string): Mail[] {
    const kind = this.kind(src) as ActivityKind;
    const room = this.room(src, kind);
    if (room <= 0) return [];
    const query = { index: "queue", equals: [src, "pending"], limit: room + 1 };
    const rows = tx.store.select(activityTable, query);
    const ready = rows.slice(0, room).filter((row) => row.not_before <= tx.now);
    const next = rows[ready.length];
    tx.afterCommit(() => this.expect(src, next?.not_before));
    return ready.flatMap((row) => this.start(tx, row, kind));
  }

  private expect(src: string, at: number | undefined): void {
    if (at === undefined) this.queued.delete(src);
    else this.queued.set(src, at);
  }

  /** Cancel ends by settlement: the row is marked, the work aborted, and `activity.stopped` says how it ended. */
  stop(tx: Transaction, key: string): Mail[] {
    const row = tx.store.get(activityTable, key);
    if (row === undefined) return [];
    if (row.status === "pending" || this.isUnstarted(tx, row)) {
      if (row.status !== "pending") this.settle(tx, row, { settlement: unstarted(row) });
      tx.store.remove(activityTable, key);
      return [stoppedMail(row, { ended: "not_started" })];
    }
    tx.store.patch(activityTable, [key], { status: "stopping" });
    tx.afterCommit(() => this.parts.running.abort(key));
    return [];
  }

  /** Marked in this very transaction: it is not launched. */
  private isUnstarted(tx: Transaction, { key, src }: ActivityRow): boolean {
    if (!this.starting.delete(key)) return false;
    this.occupy(tx, src, -1);
    tx.onRollback(() => void this.starting.add(key));
    return true;
  }

  /** The mail that a settlement becomes; undefined for one that nobody waits for or that waits for another attempt. */
  consume(tx: Transaction, { key, settlement, noticed }: Ending): Mail | undefined {
    const row = tx.store.get(activityTable, key);
    if (row === undefined) return undefined;
    const { trace, attempt } = row;
    this.settle(tx, row, { settlement });
    const waitMs = this.retryWait(row, settlement);
    if (waitMs !== undefined) {
      const error = settlement.ok ? null : settlement.error;
      this.retry(tx, { ...row, error }, waitMs);
      const { address } = row;
      const code = error?.code ?? null;
      const notice = { type: "activity.retrying", code, wait_ms: waitMs, attempt };
      const told = { address, trace, activity: key, attempt, offset: noticed, notice };
      tx.afterCommit(() => this.parts.notify(told));
      return undefined;
    }
    tx.store.remove(activityTable, key);
    return settlementMail(row, settlement);
  }

  private settle(
    tx: Transaction,
    row: ActivityRow,
    { settlement, isLost = false }: AttemptEnd,
  ): void {
    const { address, key, trace, attempt } = row;
    const input = row.input as never;
    const settled = { address, key, input, trace, attempt, at: tx.now, settlement, isLost };
    this.kind(row.src)?.settled?.(tx.store, settled);
  }

  private retryWait(row: ActivityRow, settlement: Settlement): number | undefined {
    const retry = this.kind(row.src)?.retry;
    if (settlement.ok || !settlement.error.retryable || retry === undefined) return undefined;
    if (row.status === "stopping" || row.recovery === "once") return undefined;
    if (row.failed + 1 >= retry.attempts) return undefined;
    const backoff = Math.min(retry.maxBackoffMs, retry.backoffMs * 2 ** row.failed);
    return Math.ceil(settlement.error.retry_after_ms ?? backoff);
  }

  /** A long wait outlives the service: it is a time in the row. */
  private retry(tx: Transaction, row: ActivityRow, waitMs: number): void {
    const at = tx.now + waitMs;
    const { error, failed } = row;
    const changes = { status: "pending", failed: failed + 1, error, not_before: at } as const;
    tx.store.patch(activityTable, [row.key], changes);
    tx.afterCommit(() => {
      this.queue(row.src, at);
      this.parts.alarm.arm(at);
    });
  }

  /** What a start means for a row that was found.
   *  @returns the end of what does not run (again) */
  recover(tx: Transaction, row: ActivityRow): { mail: Mail; settlement: Settlement } | undefined {
    const settlement = this.settlementAtBoot(row);
    if (row.status !== "pending")
      this.settle(tx, row, { settlement: settlement ?? cutOff(row), isLost: true });
    if (settlement !== undefined) {
      tx.store.remove(activityTable, row.key);
      return { mail: settlementMail(row, settlement), settlement };
    }
    if (row.status === "started")
      tx.store.patch(activityTable, [row.key], { status: "pending", lost: this.lostOf(row) });
    tx.afterCommit(() => {
      this.queue(row.src, row.not_before);
      this.parts.alarm.arm(row.not_before);
    });
    return undefined;
  }

  private settlementAtBoot(row: ActivityRow): Settlement | undefined {
    const most = this.parts.lostAttempts;
    const lost =
      row.status === "pending" ? undefined : lostSettlement(row, this.lostOf(row) >= most);
    return lost ?? (this.kind(row.src) === undefined ? missing(row.src) : undefined);
  }

  /** With the attempt that the service's death cut off; what always waits is always cut off. */
  private lostOf({ src, lost }: ActivityRow): number {
    return this.kind(src)?.waits === true ? 0 : lost + 1;
  }

  /** Starts nothing more. */
  close(): void {
    this.closing = true;
  }

  /** A graceful end is no death: what may be repeated waits again. */
  giveBack(tx: Transaction, keys: readonly string[]): void {
    for (const key of keys) {
      const row = tx.store.get(activityTable, key);
      if (row === undefined || row.status !== "started" || row.recovery === "once") continue;
      this.settle(tx, row, { settlement: cutOff(row), isLost: true });
      tx.store.patch(activityTable, [key], { status: "pending" });
    }
  }
}

function queueOf(kindName: string, kind: ActivityKind | undefined, input: Json): string {
  const queue = kind?.queueOf?.(input as never);
  return queue === undefined ? kindName : `${kindName}/${queue}`;
}

function kindIn(src: string): string {
  const [name = ""] = src.split("/", 1);
  return name;
}

function refusalOf(tx: Transaction, row: ActivityRow, kind: ActivityKind): ErrorData | undefined {
  try {
    const { address, key, attempt } = row;
    const starting = { address, key, attempt: attempt + 1, at: tx.now };
    return kind.admit?.(tx.store, row.input as never, starting);
  } catch (thrown) {
    return toErrorData(thrown);
  }
}

function missing(src: string): Settlement {
  const message = `no activity is called ${src}`;
  return { ok: false, error: { code: "activity.missing", message, retryable: false } };
}
