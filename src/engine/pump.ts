import type { Log } from "../ports/log.ts";
import type { RowStore } from "../ports/store.ts";
import { AgentError, type ErrorData, isStoreFault, toErrorData } from "../schema/errors.ts";
import type { ActorCache } from "./actor-cache.ts";
import { CascadeFailure, runCascade } from "./cascade.ts";
import type { SendResult } from "./engine.ts";
import type { EngineParts } from "./scene.ts";
import { EngineCrash, Transaction, type Written } from "./transaction.ts";
import { type Work, WorkQueue } from "./work-queue.ts";

export type PumpParts = EngineParts & {
  readonly store: RowStore;
  readonly cache: ActorCache;
  readonly log: Log;
  readonly faultPoint: (label: string) => void;
  readonly onCommitted: (steps: readonly Written[]) => void;
  /** The store can not be written, and why; or, with null, it can again. */
  readonly onHealth: (degraded: ErrorData | null) => void;
};

type Batch = {
  readonly tx: Transaction;
  readonly done: readonly { readonly work: Work; readonly result: SendResult | undefined }[];
  /** What goes before everything else: the rest of a cut cascade, and what was not reached. */
  readonly next: readonly Work[];
};

type Waiter = { readonly until: () => boolean; readonly resolve: () => void };

type Condition = "waiting" | "open" | "closing" | "dead";

/** The one writer: takes what waits, in batches; one transaction a batch; effects only after its commit. */
export class Pump {
  private readonly parts: PumpParts;
  private readonly queue: WorkQueue;
  private condition: Condition = "waiting";
  private lastSeq = 0;
  private running = false;
  private degradedBy: ErrorData | null = null;
  private waiters: Waiter[] = [];

  constructor(parts: PumpParts) {
    this.parts = parts;
    this.queue = new WorkQueue(parts.limits.mailboxCap);
  }

  get degraded(): ErrorData | null {
    return this.degradedBy;
  }

  get queued(): number {
    return this.queue.length;
  }

  get isBusy(): boolean {
    return this.condition !== "dead" && (this.running || this.queue.length > 0);
  }

  get isDead(): boolean {
    return this.condition === "dead";
  }

  private get canWrite(): boolean {
    return this.condition === "open" || this.condition === "closing";
  }

  open(lastSeq: number): void {
    this.condition = "open";
    this.lastSeq = lastSeq;
  }

  /** From outside nothing more is taken; what is owed is still written. */
  closeIntake(): void {
    if (this.condition !== "dead") this.condition = "closing";
  }

  /** From outside: refused while nothing can be written.
   *  @throws AgentError engine.closed, store.unavailable, mailbox.full */
  submit(work: Omit<Work, "external">): void {
    if (this.condition !== "open") {
      const why = this.condition === "waiting" ? "has not started" : "is closed";
      throw new AgentError("engine.closed", `the engine ${why}`);
    }
    if (this.degradedBy !== null) throw unavailable(this.degradedBy);
    this.queue.push({ ...work, external: true });
    this.wake();
  }

  /** What the engine owes itself: kept until it can be written, or left to the next start. */
  owe(work: Omit<Work, "external">): void {
    if (this.condition === "dead") return;
    this.queue.push({ ...work, external: false });
    this.wake();
  }

  private wake(): void {
    if (this.running || this.degradedBy !== null) return;
    this.startRun();
  }

  private startRun(): void {
    if (!this.canWrite) return;
    this.running = true;
    queueMicrotask(() => void this.run());
  }

  /** Resolves when nothing waits that can be written now. */
  whenIdleOrDegraded(): Promise<void> {
    return this.when(() => !this.isBusy || (this.degradedBy !== null && !this.running));
  }

  /** @param until asked again each time that the pump has come to rest */
  when(until: () => boolean): Promise<void> {
    if (until()) return Promise.resolve();
    return new Promise((resolve) => this.waiters.push({ until, resolve }));
  }

  /** Nothing more is taken; what waits is refused. */
  stop(message: string): void {
    this.condition = "dead";
    const error = new AgentError("engine.closed", message);
    for (const work of this.queue.drain()) work.failed?.(error);
    this.tellWaiters();
  }

  private async run(): Promise<void> {
    try {
      let goesOn = true;
      while (goesOn && this.canWrite && this.queue.length > 0) {
        goesOn = await this.attempt(this.queue.takeBatch(this.parts.limits.batchItems));
      }
    } finally {
      this.running = false;
      this.tellWaiters();
    }
  }

  private tellWaiters(): void {
    const waiters = this.waiters;
    this.waiters = waiters.filter(({ until }) => !until());
    for (const { until, resolve } of waiters) if (until()) resolve();
  }

  /** @returns false when nothing more can be done for now */
  private async attempt(works: readonly Work[]): Promise<boolean> {
    const now = works[0]?.at ?? this.parts.clock.now();
    try {
      this.settle(await this.transact(works, now));
      return true;
    } catch (error) {
      return this.recover(works, now, error);
    }
  }

  private async transact(works: readonly Work[], now: number): Promise<Batch> {
    const { store, cache, machines, faultPoint } = this.parts;
    const tx = new Transaction({ store, cache, machines, now, lastSeq: this.lastSeq });
    try {
      store.begin();
      const batch = this.process(tx, works);
      tx.seal();
      const label = labelOf(batch);
      faultPoint(`before ${label}`);
      await store.commit();
      this.lastSeq = tx.seq;
      tx.publishToCache();
      faultPoint(`after ${label}`);
      return batch;
    } catch (error) {
      if (!(error instanceof EngineCrash)) store.rollback();
      tx.runRolledBack();
      throw error;
    }
  }

  private process(tx: Transaction, works: readonly Work[]): Batch {
    const { clock, limits } = this.parts;
    const done: { work: Work; result: SendResult | undefined }[] = [];
    const startedAt = clock.monotonic();
    for (const work of works) {
      if (done.length > 0 && clock.monotonic() - startedAt > limits.cascadeMs) break;
      const { result, rest } = this.processOne(tx, work);
      done.push({ work, result });
      const next = work.next === undefined ? continuation(rest) : work.next(rest);
      if (next !== undefined) return { tx, done, next: [next, ...works.slice(done.length)] };
    }
    return { tx, done, next: works.slice(done.length) };
  }

  private processOne(tx: Transaction, work: Work) {
    const waiting = work.prepare(tx);
    if (waiting.length === 0) return { result: undefined, rest: [] };
    const { steps = this.parts.limits.cascadeSteps, poisons = new Map() } = work;
    const together = "stored" in (waiting[0] as object) ? 1 : waiting.length;
    const job = { waiting, together, steps, poisons };
    const cascade = runCascade({ tx, parts: this.parts }, job);
    if (cascade.result !== undefined) work.conclude?.(tx, cascade.result);
    return cascade;
  }

  private settle({ tx, done, next }: Batch): void {
    if (this.degradedBy !== null) {
      this.degradedBy = null;
      this.parts.log("info", "the database can be written again");
      this.parts.onHealth(null);
    }
    if (next.length > 0) this.queue.putFirst(next);
    this.parts.onCommitted(tx.steps);
    tx.runCommitted();
    for (const { work, result } of done) work.done?.(result);
  }

  private recover(works: readonly Work[], at: number, error: unknown): boolean {
    if (error instanceof EngineCrash) {
      this.queue.putFirst(works);
      this.stop("the engine crashed");
      return false;
    }
    if (isStoreFault(error)) {
      this.degrade(works, error);
      return false;
    }
    this.doAgain(works, at, error);
    return true;
  }

  /** A batch that failed is done again event by event. What fails alone too is poison: it is buried, and the rest goes on. */
  private doAgain(works: readonly Work[], at: number, error: unknown): void {
    const [work] = works;
    if (work === undefined || works.length > 1) {
      this.queue.putFirst(works.map((one) => ({ ...one, alone: true })));
    } else if (error instanceof CascadeFailure && work.poisons?.has(error.at) !== true) {
      const poisons = new Map([...(work.poisons ?? []), [error.at, error.error]]);
      this.queue.putFirst([{ ...work, alone: true, at, poisons }]);
    } else {
      const { label } = work;
      this.parts.log("error", "work could not be done", { label, error: toErrorData(error) });
      work.failed?.(error instanceof CascadeFailure ? error.cause : error);
    }
  }

  private degrade(works: readonly Work[], error: AgentError): void {
    const { log, clock, limits, onHealth } = this.parts;
    const reason = error.toData();
    if (this.degradedBy === null) {
      log("error", "the database cannot be written; intake stops", { error: error.message });
      onHealth(reason);
    }
    this.degradedBy = reason;
    const waiting = [...works, ...this.queue.drain()];
    const owed = waiting.filter((work) => !work.external);
    this.queue.putFirst(owed.length > 0 ? owed : [probe]);
    for (const work of waiting) if (work.external) work.failed?.(unavailable(reason));
    clock.after(limits.healRetryMs, () => this.startRun());
  }
}

function labelOf({ tx, done }: Batch): string {
  const steps = tx.steps.map(({ row }) => `${row.machine}:${row.event_type}`);
  return (steps.length > 0 ? steps : done.map(({ work }) => work.label)).join(",");
}

function continuation(rest: readonly number[]): Work | undefined {
  if (rest.length === 0) return undefined;
  const prepare = () => rest.map((stored) => ({ stored }));
  return { label: `mail ${rest[0]}`, external: false, prepare };
}

/** Commits one number, to learn whether the store can be written again. */
const probe: Work = {
  label: "probe",
  external: false,
  prepare: (tx) => {
    tx.nextSeq();
    return [];
  },
};

function unavailable(error: ErrorData): AgentError {
  if (error.code !== "store.unavailable") {
    const { hint } = error;
    return new AgentError(error.code, error.message, hint === undefined ? {} : { hint });
  }
  return new AgentError("store.unavailable", error.message, {
    retryable: true,
    hint: "free some disk space; nothing was lost, send it again",
  });
}
