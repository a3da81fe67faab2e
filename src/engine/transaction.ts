import type { RowStore } from "../ports/store.ts";
import { AgentError } from "../schema/errors.ts";
import type { Address } from "../schema/events/event.ts";
import { type ActorCache, type LiveActor, reviveActor } from "./actor-cache.ts";
import type { MachineRegistry } from "./machine-registry.ts";
import {
  type ActorRow,
  actorTable,
  counterTable,
  type JournalRow,
  journalTable,
} from "./tables.ts";

export type Written = { readonly row: JournalRow; readonly actor: ActorRow | undefined };

export type TransactionParts = {
  readonly store: RowStore;
  readonly cache: ActorCache;
  readonly machines: MachineRegistry;
  readonly lastSeq: number;
  readonly now: number;
};

/** One transaction's tentative view: what changed in caches, what is told and done after the commit. Dropped whole on rollback. */
export class Transaction {
  readonly store: RowStore;
  readonly now: number;
  readonly steps: Written[] = [];
  private readonly parts: TransactionParts;
  private readonly changed = new Map<Address, LiveActor>();
  private readonly committed: (() => void)[] = [];
  private readonly rolledBack: (() => void)[] = [];
  private lastSeq: number;

  constructor(parts: TransactionParts) {
    this.parts = parts;
    this.store = parts.store;
    this.now = parts.now;
    this.lastSeq = parts.lastSeq;
  }

  get seq(): number {
    return this.lastSeq;
  }

  nextSeq(): number {
    this.lastSeq += 1;
    return this.lastSeq;
  }

  actor(address: Address): LiveActor | undefined {
    return this.changed.get(address) ?? this.parts.cache.get(address) ?? this.load(address);
  }

  private load(address: Address): LiveActor | undefined {
    const row = this.store.get(actorTable, address);
    if (row === undefined) return undefined;
    const actor = reviveActor(this.parts.machines, row);
    this.changed.set(address, actor);
    return actor;
  }

  /** A whole row for a new life of an actor. */
  insertActor(actor: LiveActor): void {
    this.changed.set(actor.row.address, actor);
    this.store.put(actorTable, actor.row);
  }

  /** Writes only the given columns. */
  updateActor(actor: LiveActor, changes: Partial<ActorRow>): ActorRow {
    const row = { ...actor.row, ...changes };
    this.changed.set(row.address, { row, state: actor.state });
    this.store.patch(actorTable, [row.address], changes);
    return row;
  }

  journal(written: Written): void {
    this.store.put(journalTable, written.row);
    this.steps.push(written);
  }

  afterCommit(call: () => void): void {
    this.committed.push(call);
  }

  onRollback(call: () => void): void {
    this.rolledBack.push(call);
  }

  /** The last write of the transaction; then the store commits. */
  seal(): void {
    if (this.lastSeq === this.parts.lastSeq) return;
    this.store.put(counterTable, { name: "seq", value: this.lastSeq });
  }

  publishToCache(): void {
    for (const actor of this.changed.values()) this.parts.cache.keep(actor);
  }

  runCommitted(): void {
    for (const call of this.committed) call();
  }

  runRolledBack(): void {
    for (const call of this.rolledBack.toReversed()) call();
  }
}

/** Where the process may be made to die in tests; the error ends the engine, never the actor. */
export class EngineCrash extends AgentError {
  constructor(label: string) {
    super("engine.closed", `crashed at ${label}`);
  }
}
