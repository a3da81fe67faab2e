import { AgentError } from "../schema/errors.ts";
import type { Address } from "../schema/event.ts";
import type { SendResult } from "./engine.ts";
import type { Poison } from "./cascade.ts";
import type { Delivery } from "./mail.ts";
import type { Transaction } from "./transaction.ts";

/** What waits for a transaction, first in, first out, with a cap for each address. */
export type Item = {
  readonly label: string;
  /** What came from outside can be refused; what the engine owes itself is kept until it can be written. */
  readonly external: boolean;
  readonly address?: Address;
  /** In a transaction of its own. */
  readonly solo?: boolean;
  readonly poison?: Poison;
  prepare(tx: Transaction): readonly Delivery[];
  conclude?(tx: Transaction, result: SendResult): void;
  done(result: SendResult | undefined): void;
  failed(error: unknown): void;
};

export class WorkQueue {
  private items: Item[] = [];
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
  push(item: Item): void {
    this.count(item, 1);
    this.items.push(item);
  }

  private count(item: Item, change: number): void {
    if (!item.external || item.address === undefined) return;
    const waiting = (this.perAddress.get(item.address) ?? 0) + change;
    if (waiting > this.cap) {
      const message = `${this.cap} events wait for ${item.address} already`;
      throw new AgentError("mailbox.full", message, { retryable: true });
    }
    if (waiting === 0) this.perAddress.delete(item.address);
    else this.perAddress.set(item.address, waiting);
  }

  /** Ahead of everything else, in the given order. */
  putFirst(items: readonly Item[]): void {
    for (const item of items) this.count(item, 1);
    this.items = [...items, ...this.items.slice(this.head)];
    this.head = 0;
  }

  peek(): Item | undefined {
    return this.items[this.head];
  }

  take(): Item | undefined {
    const item = this.items[this.head];
    if (item === undefined) return undefined;
    this.count(item, -1);
    this.head += 1;
    if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  drain(): Item[] {
    const rest = this.items.slice(this.head);
    this.items = [];
    this.head = 0;
    this.perAddress.clear();
    return rest;
  }
}
