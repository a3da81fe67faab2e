import { AgentError } from "../schema/errors.ts";
import type { Address } from "../schema/events/event.ts";
import type { Poisons } from "./cascade.ts";
import type { SendResult } from "./engine.ts";
import type { Waiting } from "./mail/mail.ts";
import type { Transaction } from "./transaction.ts";

/** What waits for the one writer. */
export type Work = {
  readonly label: string;
  /** What came from outside can be refused; what the engine owes itself is kept until it can be written. */
  readonly external: boolean;
  /** Whose mailbox it counts for. */
  readonly address?: Address;
  /** In a transaction of its own. */
  readonly alone?: boolean;
  readonly poisons?: Poisons;
  /** The time that its transaction has, where it is done again. */
  readonly at?: number;
  /** Most steps of its cascade. */
  readonly steps?: number;
  /** May be called again after a rollback. */
  prepare(tx: Transaction): readonly Waiting[];
  conclude?(tx: Transaction, result: SendResult): void;
  /** What goes before everything else that waits; `rest` are the mailbox rows that did not fit. */
  next?(rest: readonly number[]): Work | undefined;
  done?(result: SendResult | undefined): void;
  failed?(error: unknown): void;
};

/** First in, first out, with a cap for each address. */
export class WorkQueue {
  private items: Work[] = [];
  private head = 0;
  private readonly perAddress = new Map<Address, number>();
  private readonly cap: number;

  constructor(cap: number) {
    this.cap = cap;
  }

  get length(): number {
    return this.items.length - this.head;
  }

  /** @throws AgentError mailbox.full */
  push(work: Work): void {
    const { external, address } = work;
    if (external && address !== undefined && (this.perAddress.get(address) ?? 0) >= this.cap) {
      const message = `${this.cap} events wait for ${address} already`;
      throw new AgentError("mailbox.full", message, { retryable: true });
    }
    this.count(work, 1);
    this.items.push(work);
  }

  /** Ahead of everything else, in the given order; what was taken before has its place. */
  putFirst(works: readonly Work[]): void {
    for (const work of works) this.count(work, 1);
    this.items = [...works, ...this.items.slice(this.head)];
    this.head = 0;
  }

  /** What fits into one transaction. */
  takeBatch(most: number): Work[] {
    const batch: Work[] = [];
    for (let next = this.items[this.head]; next !== undefined; next = this.items[this.head]) {
      if (batch.length === most || (next.alone === true && batch.length > 0)) break;
      batch.push(next);
      this.count(next, -1);
      this.head += 1;
      if (next.alone === true) break;
    }
    this.forgetTaken();
    return batch;
  }

  /** At once where nothing waits: what was taken may be large. */
  private forgetTaken(): void {
    if (this.length > 0 && (this.head <= 1024 || this.head * 2 <= this.items.length)) return;
    this.items = this.items.slice(this.head);
    this.head = 0;
  }

  private count({ external, address }: Work, change: number): void {
    if (!external || address === undefined) return;
    const waiting = (this.perAddress.get(address) ?? 0) + change;
    if (waiting === 0) this.perAddress.delete(address);
    else this.perAddress.set(address, waiting);
  }

  drain(): Work[] {
    const rest = this.items.slice(this.head);
    this.items = [];
    this.head = 0;
    this.perAddress.clear();
    return rest;
  }
}
