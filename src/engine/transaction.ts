import type { RowStore } from "../ports/store.ts";
import { AgentError } from "../schema/errors.ts";
import type { Address } from "../schema/event.ts";
import type { ActorCache, LiveActor } from "./actor-cache.ts";
import {
  type ActorRow,
  actorTable,
  counterTable,
  type JournalRow,
  journalTable,
} from "./tables.ts";

/** One transaction's tentative view: what changed in caches, what is told and done after the commit. Dropped whole on rollback. */
export class Transaction {
  readonly store: RowStore;
  readonly now: number;
  private readonly cache: ActorCache;
  private readonly changed = new Map<Address, LiveActor>();
  private readonly committed: (() => void)[] = [];
  private readonly rolledBack: (() => void)[] = [];
  private readonly firstSeq: number;
  private lastSeq: number;
  readonly steps: { readonly row: JournalRow; readonly actor: ActorRow | undefined }[] = [];

  constructor(store: RowStore, cache: ActorCache, lastSeq: number, now: number) {
    this.store = store;
    this.cache = cache;
    this.firstSeq = lastSeq;
    this.lastSeq = lastSeq;
    this.now = now;
  }

  get seq(): number {
    return this.lastSeq;
  }

  nextSeq(): number {
    this.lastSeq += 1;
    return this.lastSeq;
  }

  actor(address: Address): LiveActor | undefined {
    return this.changed.get(address) ?? this.cache.get(address) ?? this.load(address);
  }

  private load(address: Address): LiveActor | undefined {
    const row = this.store.get(actorTable, address);
    if (row === undefined) return undefined;
    const actor = this.cache.revive(row);
    this.changed.set(address, actor);
    return actor;
  }

  /** A whole row for a new life of an actor. */
  insertActor(actor: LiveActor): void {
    this.changed.set(actor.row.address, actor);
    this.store.put(actorTable, actor.row);
  }

  /** Writes only the given columns. */
  updateActor(actor: LiveActor, changes: Partial<ActorRow>): LiveActor {
    const next = { row: { ...actor.row, ...changes }, state: actor.state };
    this.changed.set(next.row.address, next);
    this.store.patch(actorTable, [next.row.address], changes);
    return next;
  }

  journal(row: JournalRow, actor: ActorRow | undefined): void {
    this.store.put(journalTable, row);
    this.steps.push({ row, actor });
  }

  afterCommit(call: () => void): void {
    this.committed.push(call);
  }

  onRollback(call: () => void): void {
    this.rolledBack.push(call);
  }

  /** The last writes of the transaction; then the store commits. */
  seal(): void {
    if (this.lastSeq !== this.firstSeq)
      this.store.put(counterTable, { name: "seq", value: this.lastSeq });
  }

  publishToCache(): void {
    for (const actor of this.changed.values()) this.cache.keep(actor);
  }

  runCommitted(): void {
    for (const call of this.committed) call();
  }

  runRolledBack(): void {
    for (const call of this.rolledBack) call();
  }
}

/** Where the process may be made to die in tests; the error ends the engine, never the actor. */
export class EngineCrash extends AgentError {
  constructor(label: string) {
    super("engine.closed", `crashed at ${label}`);
  }
}
