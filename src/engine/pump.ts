import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { RowStore } from "../ports/store.ts";
import { AgentError, type ErrorData, toErrorData } from "../schema/errors.ts";
import type { ActorCache } from "./actor-cache.ts";
import {
  CascadeFailure,
  type CascadeContext,
  isUnavailable,
  type Poison,
  runCascade,
} from "./cascade.ts";
import type { EngineLimits, SendResult } from "./engine.ts";
import { takeMail } from "./mailbox.ts";
import { EngineCrash, Transaction } from "./transaction.ts";
import { type Item, WorkQueue } from "./work-queue.ts";

/** The one writer: takes what waits, in batches; one transaction a batch; effects only after its commit. */

export type PumpOptions = {
  readonly store: RowStore;
  readonly cache: ActorCache;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: EngineLimits;
  readonly faultPoint: (label: string) => void;
  readonly onCommitted: (tx: Transaction) => void;
};

type Conclusion = { readonly item: Item; readonly result: SendResult | undefined };

type BatchOutcome =
  | {
      readonly kind: "committed";
      readonly tx: Transaction;
      readonly conclusions: Conclusion[];
      readonly next: Item[];
    }
  | { readonly kind: "failed"; readonly error: unknown };

export class Pump {
  readonly queue: WorkQueue;
  private readonly options: PumpOptions;
  private cascades: CascadeContext | undefined;
  private lastSeq = 0;
  private pumping = false;
  private degradedBy: ErrorData | null = null;
  private dead = false;
  private idle: (() => void)[] = [];

  constructor(options: PumpOptions) {
    this.options = options;
    this.queue = new WorkQueue(options.limits.mailboxCap);
  }

  begin(cascades: CascadeContext, lastSeq: number): void {
    this.cascades = cascades;
    this.lastSeq = lastSeq;
  }

  get degraded(): ErrorData | null {
    return this.degradedBy;
  }

  get stopped(): boolean {
    return this.dead;
  }

  get busy(): boolean {
    return this.pumping || this.queue.length > 0;
  }

  push(item: Item): void {
    if (this.dead) throw new AgentError("engine.closed", "the engine is closed");
    if (item.external && this.degradedBy !== null) throw unavailable(this.degradedBy);
    this.queue.push(item);
    this.wake();
  }

  wake(): void {
    if (this.pumping || this.dead || this.cascades === undefined) return;
    this.pumping = true;
    queueMicrotask(() => void this.run());
  }

  whenIdle(): Promise<void> {
    if (!this.busy || this.dead) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  /** Nothing more is taken; what waits is refused. */
  stop(): void {
    this.dead = true;
    const error = new AgentError("engine.closed", "the engine is closed");
    for (const item of this.queue.drain()) item.failed(error);
    this.becomeIdle();
  }

  private async run(): Promise<void> {
    try {
      while (!this.dead && this.queue.length > 0) {
        const items = this.takeBatch();
        const settled = await this.attempt(items);
        if (!settled) break;
      }
    } finally {
      this.pumping = false;
      if (this.queue.length === 0 || this.dead) this.becomeIdle();
    }
  }

  private becomeIdle(): void {
    const waiting = this.idle;
    this.idle = [];
    for (const resolve of waiting) resolve();
  }

  private takeBatch(): Item[] {
    const items: Item[] = [];
    while (items.length < this.options.limits.batchItems) {
      const next = this.queue.peek();
      if (next === undefined || (next.solo === true && items.length > 0)) break;
      items.push(this.queue.take() as Item);
      if (next.solo === true) break;
    }
    return items;
  }

  /** @returns false when the store cannot be written for now, or the engine died */
  private async attempt(items: Item[]): Promise<boolean> {
    const outcome = await this.transact(items);
    if (outcome.kind === "committed") {
      this.settle(outcome.tx, outcome.conclusions, outcome.next);
      return true;
    }
    const { error } = outcome;
    if (error instanceof EngineCrash) {
      this.die(items);
      return false;
    }
    if (isUnavailable(error)) {
      this.degrade(items, error as AgentError);
      return false;
    }
    return this.retryAlone(items, error);
  }

  /** A batch that failed is done again event by event; one that fails alone too is poison. */
  private async retryAlone(items: Item[], error: unknown): Promise<boolean> {
    const [item] = items;
    if (items.length === 1 && item !== undefined) {
      const poison = error instanceof CascadeFailure ? error.poison : undefined;
      if (poison !== undefined && item.poison === undefined)
        return this.attempt([{ ...item, poison }]);
      this.options.log("error", "an event could not be processed", {
        label: item.label,
        error: toErrorData(error) as never,
      });
      item.failed(error instanceof CascadeFailure ? error.cause : error);
      return true;
    }
    for (const [index, single] of items.entries()) {
      if (!(await this.attempt([single]))) {
        this.queue.putFirst(items.slice(index + 1));
        return false;
      }
    }
    return true;
  }

  private async transact(items: Item[]): Promise<BatchOutcome> {
    const { store, cache, clock } = this.options;
    const tx = new Transaction(store, cache, this.lastSeq, clock.now());
    try {
      store.begin();
      const { conclusions, next } = this.process(tx, items);
      tx.seal();
      const label = tx.steps.map(({ row }) => `${row.machine}:${row.event_type}`).join(",");
      this.options.faultPoint(`before ${label}`);
      await store.commit();
      this.lastSeq = tx.seq;
      tx.publishToCache();
      this.options.faultPoint(`after ${label}`);
      return { kind: "committed", tx, conclusions, next };
    } catch (error) {
      if (!(error instanceof EngineCrash)) store.rollback();
      tx.runRolledBack();
      return { kind: "failed", error };
    }
  }

  private process(tx: Transaction, items: Item[]): { conclusions: Conclusion[]; next: Item[] } {
    const conclusions: Conclusion[] = [];
    const cascades = this.cascades as CascadeContext;
    for (const [index, item] of items.entries()) {
      const deliveries = item.prepare(tx);
      if (deliveries.length === 0) {
        conclusions.push({ item, result: undefined });
        continue;
      }
      const { result, postponed } = runCascade(cascades, tx, deliveries, item.poison);
      item.conclude?.(tx, result);
      conclusions.push({ item, result });
      if (postponed.length > 0) {
        const rest = items.slice(index + 1);
        return { conclusions, next: [...postponed.map((id) => mailItem(id)), ...rest] };
      }
    }
    return { conclusions, next: [] };
  }

  private settle(tx: Transaction, conclusions: readonly Conclusion[], next: readonly Item[]): void {
    if (this.degradedBy !== null) {
      this.degradedBy = null;
      this.options.log("info", "the database can be written again");
    }
    if (next.length > 0) this.queue.putFirst(next);
    tx.runCommitted();
    this.options.onCommitted(tx);
    for (const { item, result } of conclusions) item.done(result);
  }

  private degrade(items: readonly Item[], error: AgentError): void {
    if (this.degradedBy === null) {
      this.options.log("error", "the database cannot be written; intake stops", {
        error: error.message,
      });
    }
    this.degradedBy = error.toData();
    const owed: Item[] = [];
    for (const item of [...items, ...this.queue.drain()]) {
      if (item.external) item.failed(unavailable(this.degradedBy));
      else owed.push(item);
    }
    this.queue.putFirst(owed.length > 0 ? owed : [probe]);
    this.options.clock.after(this.options.limits.healRetryMs, () => this.wake());
  }

  private die(items: readonly Item[]): void {
    this.dead = true;
    const error = new AgentError("engine.closed", "the engine crashed");
    for (const item of [...items, ...this.queue.drain()]) item.failed(error);
  }
}

export function mailItem(id: number, poison?: Poison): Item {
  return {
    label: `mail ${id}`,
    external: false,
    ...(poison === undefined ? {} : { poison }),
    prepare: (tx) => {
      const delivery = takeMail(tx, id);
      return delivery === undefined ? [] : [delivery];
    },
    done: () => {},
    failed: () => {},
  };
}

/** Commits one number, to learn whether the store can be written again. */
const probe: Item = {
  label: "probe",
  external: false,
  prepare: (tx) => {
    tx.nextSeq();
    return [];
  },
  done: () => {},
  failed: () => {},
};

function unavailable(error: ErrorData): AgentError {
  return new AgentError("store.unavailable", error.message, {
    retryable: true,
    hint: "free some disk space; nothing was lost, send it again",
  });
}
