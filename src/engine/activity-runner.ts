import type { Clock } from "../ports/clock.ts";
import { type ErrorData, toErrorData } from "../schema/errors.ts";
import type { EventMeta } from "../schema/event.ts";
import type { Json } from "../schema/json.ts";
import type { Recovery } from "../schema/tool.ts";
import type { ActivityKind, ActivityKinds, Ended, Settlement } from "./activity-kind.ts";
import type { Notice } from "./engine.ts";
import type { Mail } from "./mail.ts";
import { type ActivityRow, activityTable, type ActorRow } from "./tables.ts";
import type { Transaction } from "./transaction.ts";

/** Starts activities after the commit of their attempt, and brings what becomes of them back as settlements. */

export type RunnerOptions = {
  readonly kinds: ActivityKinds;
  readonly lostAttempts: number;
  readonly redact: <T extends Json>(value: T) => T;
  /** A settlement waits for its transaction. */
  readonly settle: (key: string, settlement: Settlement) => void;
  /** There may be room for pending activities of this kind. */
  readonly admit: (src: string) => void;
  readonly wakeAfter: (src: string, delayMs: number) => void;
  readonly notify: (notice: Notice) => void;
};

type Running = { readonly src: string; readonly abort: AbortController };

export type Beginning = {
  readonly row: ActorRow;
  readonly meta: EventMeta;
  readonly id: string;
  readonly src: string;
  readonly input: Json;
};

export class ActivityRunner {
  private readonly options: RunnerOptions;
  private readonly running = new Map<string, Running>();
  private readonly occupied = new Map<string, number>();
  private readonly waiting = new Set<string>();
  private closing = false;
  private emptied: (() => void)[] = [];

  constructor(options: RunnerOptions) {
    this.options = options;
  }

  get size(): number {
    return this.running.size;
  }

  begin(tx: Transaction, beginning: Beginning): void {
    const { row: actor, meta, id, src, input } = beginning;
    const row: ActivityRow = {
      key: `${actor.address}/${id}#${meta.seq}`,
      address: actor.address,
      id,
      src,
      seq: meta.seq,
      input,
      recovery: this.recoveryOf(src, input),
      attempt: 0,
      status: "pending",
      not_before: 0,
      trace: meta.trace,
    };
    const kind = this.options.kinds[src];
    if (kind !== undefined && this.hasRoom(src, kind) && !this.closing) {
      const admitted = this.admitted(tx, row, kind);
      tx.store.put(activityTable, admitted ?? row);
    } else {
      tx.store.put(activityTable, row);
      tx.afterCommit(() => this.leaveWaiting(src));
    }
  }

  private recoveryOf(src: string, input: Json): Recovery {
    const recovery = this.options.kinds[src]?.recovery ?? "once";
    return typeof recovery === "function" ? recovery(input as never) : recovery;
  }

  private hasRoom(src: string, kind: ActivityKind): boolean {
    return (this.occupied.get(src) ?? 0) < kind.maxConcurrent;
  }

  private leaveWaiting(src: string): void {
    this.waiting.add(src);
    if (this.options.kinds[src] === undefined) this.options.admit(src);
  }

  /** The started mark, in the transaction that checks once more whether it may start. Launched after the commit. */
  private admitted(tx: Transaction, row: ActivityRow, kind: ActivityKind): ActivityRow | undefined {
    const refusal = kind.admit?.(tx.store, row.input as never, row.address);
    if (refusal !== undefined) {
      tx.afterCommit(() => this.options.settle(row.key, { ok: false, error: refusal }));
      return undefined;
    }
    const started: ActivityRow = { ...row, attempt: row.attempt + 1, status: "started" };
    this.occupy(row.src, 1);
    tx.onRollback(() => this.occupy(row.src, -1));
    tx.afterCommit(() => this.launch(started, kind));
    return started;
  }

  private occupy(src: string, change: number): void {
    this.occupied.set(src, (this.occupied.get(src) ?? 0) + change);
  }

  private launch(row: ActivityRow, kind: ActivityKind): void {
    const abort = new AbortController();
    this.running.set(row.key, { src: row.src, abort });
    if (row.attempt > 1) this.tell(row, 0, { type: "text.reset" });
    let offset = row.attempt > 1 ? 1 : 0;
    const work = async () =>
      kind.run({
        input: row.input as never,
        key: row.key,
        attempt: row.attempt,
        address: row.address,
        trace: row.trace,
        signal: abort.signal,
        notify: (notice) => {
          if (!this.running.has(row.key)) return;
          this.tell(row, offset, notice);
          offset += 1;
        },
      });
    void work().then(
      (output) =>
        this.ended(row, { ok: true, output: this.options.redact((output ?? null) as Json) }),
      (thrown: unknown) => this.ended(row, { ok: false, error: this.failure(thrown) }),
    );
  }

  private failure(thrown: unknown): ErrorData {
    return this.options.redact(
      toErrorData(thrown, "activity.failed") as unknown as Json,
    ) as unknown as ErrorData;
  }

  private tell(row: ActivityRow, offset: number, notice: Notice["notice"]): void {
    const { address, trace, key, attempt } = row;
    this.options.notify({ address, trace, activity: key, attempt, offset, notice });
  }

  private ended(row: ActivityRow, settlement: Settlement): void {
    const running = this.running.get(row.key);
    if (running === undefined) return;
    this.running.delete(row.key);
    this.occupy(row.src, -1);
    this.options.settle(row.key, settlement);
    if (this.running.size === 0) this.tellEmpty();
    if (this.waiting.has(row.src)) this.options.admit(row.src);
  }

  /** Starts as many pending activities of one kind as there is room for, oldest first. */
  admitPending(tx: Transaction, src: string): void {
    const kind = this.options.kinds[src];
    const pending = (limit: number) =>
      tx.store.select(activityTable, { index: "queue", equals: [src, "pending"], limit });
    if (kind === undefined) {
      const error = toErrorData(`no activity is called ${src}`, "activity.missing");
      for (const row of pending(1000))
        tx.afterCommit(() => this.options.settle(row.key, { ok: false, error }));
      return;
    }
    const room = kind.maxConcurrent - (this.occupied.get(src) ?? 0);
    if (room <= 0 || this.closing) return;
    const rows = pending(room + 1);
    for (const row of rows.slice(0, room)) {
      if (row.not_before > tx.now) {
        tx.afterCommit(() => this.options.wakeAfter(src, row.not_before - tx.now));
        return;
      }
      const started = this.admitted(tx, row, kind);
      if (started !== undefined)
        tx.store.patch(activityTable, [row.key], { attempt: started.attempt, status: "started" });
    }
    if (rows.length <= room) tx.afterCommit(() => this.waiting.delete(src));
  }

  /** Cancel ends by settlement: the row is marked, the work aborted, and `activity.stopped` says how it ended. */
  stop(tx: Transaction, actor: ActorRow, id: string, meta: EventMeta): Mail[] {
    const life = actor.snapshot.activities[id];
    if (life === undefined) return [];
    const key = `${actor.address}/${id}#${life.seq}`;
    const row = tx.store.get(activityTable, key);
    if (row === undefined) return [];
    if (row.status === "pending") {
      tx.store.remove(activityTable, key);
      return [stoppedMail(row, { cause: meta.seq, ended: "not_started" })];
    }
    this.abandon(tx, key);
    return [];
  }

  /** As `stop`, for an actor that has ended and hears nothing any more. */
  abandon(tx: Transaction, key: string): void {
    const row = tx.store.get(activityTable, key);
    if (row?.status === "pending") tx.store.remove(activityTable, key);
    else if (row !== undefined) tx.store.patch(activityTable, [key], { status: "stopping" });
    tx.afterCommit(() => this.running.get(key)?.abort.abort());
  }

  /** The mail that a settlement becomes; undefined for one that is stale or that waits for another attempt. */
  consume(tx: Transaction, key: string, settlement: Settlement): Mail | undefined {
    const row = tx.store.get(activityTable, key);
    if (row === undefined) return undefined;
    if (row.status !== "stopping" && this.retried(tx, row, settlement)) return undefined;
    tx.store.remove(activityTable, key);
    if (row.status === "stopping") return stoppedMail(row, stoppedHow(row, settlement));
    const event = settlement.ok
      ? { type: `xstate.done.actor.${row.id}`, actorId: row.id, output: settlement.output }
      : {
          type: `xstate.error.actor.${row.id}`,
          actorId: row.id,
          error: settlement.error as unknown as Json,
        };
    return { ...toActor(row), event, cause: row.seq };
  }

  private retried(tx: Transaction, row: ActivityRow, settlement: Settlement): boolean {
    const retry = this.options.kinds[row.src]?.retry;
    if (
      settlement.ok ||
      retry === undefined ||
      row.attempt >= retry.attempts ||
      row.recovery === "once"
    )
      return false;
    const { error } = settlement;
    if (!error.retryable) return false;
    const wait =
      error.retry_after_ms ??
      Math.min(retry.maxBackoffMs, retry.backoffMs * 2 ** (row.attempt - 1));
    tx.store.patch(activityTable, [row.key], { status: "pending", not_before: tx.now + wait });
    tx.afterCommit(() => {
      this.waiting.add(row.src);
      this.options.wakeAfter(row.src, wait);
      this.tell(row, 0, {
        type: "activity.retrying",
        code: error.code,
        wait_ms: wait,
        attempt: row.attempt,
      });
    });
    return true;
  }

  /** What a crash means for a row that was found at boot.
   *  @returns how it settles, or undefined when it simply runs (again) */
  recover(tx: Transaction, row: ActivityRow): Settlement | undefined {
    const interrupted = row.status !== "pending";
    if (interrupted && row.recovery === "once") return lost("activity.outcome_unknown", row);
    if (row.status === "stopping") return lost("activity.aborted", row);
    if (interrupted && row.attempt >= this.options.lostAttempts)
      return lost("activity.crash_loop", row);
    if (interrupted) tx.store.patch(activityTable, [row.key], { status: "pending" });
    tx.afterCommit(() => {
      this.waiting.add(row.src);
      this.options.admit(row.src);
    });
    return undefined;
  }

  /** Resolves when nothing runs. */
  whenEmpty(): Promise<void> {
    if (this.running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.emptied.push(resolve));
  }

  private tellEmpty(): void {
    for (const resolve of this.emptied.splice(0)) resolve();
  }

  /** What was aborted by `close`, not by itself or by its actor. */
  readonly interrupted: string[] = [];

  /** Starts nothing more, gives what runs `graceMs` to end, then aborts it. */
  async close(clock: Clock, graceMs: number): Promise<void> {
    this.closing = true;
    if (graceMs > 0 && this.running.size > 0) {
      await new Promise<void>((resolve) => {
        const stop = clock.after(graceMs, resolve);
        void this.whenEmpty().then(() => {
          stop();
          resolve();
        });
      });
    }
    this.interrupted.push(...this.running.keys());
    for (const { abort } of this.running.values()) abort.abort();
    this.running.clear();
    this.tellEmpty();
  }
}

function toActor(row: ActivityRow): Omit<Mail, "event" | "cause"> {
  const source = { kind: "activity", id: row.id, seq: row.seq } as const;
  return { address: row.address, origin: "actor", trace: row.trace, source };
}

type Stopped = {
  readonly cause: number;
  readonly ended: Ended;
  readonly output?: Json;
  readonly error?: ErrorData;
};

function stoppedMail(row: ActivityRow, stopped: Stopped): Mail {
  const { cause, ended, output, error } = stopped;
  const event = {
    type: "activity.stopped",
    activity: row.id,
    ended,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error: error as unknown as Json }),
  };
  return { ...toActor(row), event, cause };
}

function stoppedHow(row: ActivityRow, settlement: Settlement): Stopped {
  if (settlement.ok) return { cause: row.seq, ended: "completed", output: settlement.output };
  const { error } = settlement;
  if (error.code === "activity.aborted") return { cause: row.seq, ended: "aborted" };
  if (error.code === "activity.outcome_unknown") return { cause: row.seq, ended: "unknown" };
  return { cause: row.seq, ended: "completed", error };
}

function lost(code: ErrorData["code"], row: ActivityRow): Settlement {
  const message = `${row.src} was interrupted in attempt ${row.attempt} when the service died`;
  return { ok: false, error: { code, message, retryable: false } };
}
