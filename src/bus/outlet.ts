import { BoundedQueue } from "./bounded-queue.ts";
import type { Listener } from "./listener.ts";

/** What all listeners of one name have seen, those that left among them. */
export type Tally = { delivered: number; dropped: number; failed: number };

export type OutletOptions<N> = {
  readonly listener: Listener<N>;
  readonly tally: Tally;
  readonly merge: (older: N, newer: N) => N | undefined;
};

/** One listener with its queue: what happens to it happens to no one else. */
export class Outlet<N> {
  private readonly listener: Listener<N>;
  private readonly tally: Tally;
  private readonly queue: BoundedQueue<N>;
  private isBusy = false;
  private isClosed = false;
  /** Dropped since the listener was last told of it. */
  private untold = 0;

  constructor({ listener, tally, merge }: OutletOptions<N>) {
    this.listener = listener;
    this.tally = tally;
    this.queue = new BoundedQueue({ capacity: listener.capacity, merge });
  }

  get queued(): number {
    return this.queue.length;
  }

  /** Never throws, never waits. */
  offer(news: N): void {
    if (this.isClosed || !this.isWanted(news)) return;
    if (this.queue.push(news)) {
      this.untold += 1;
      this.tally.dropped += 1;
    }
    if (this.isBusy) return;
    this.isBusy = true;
    queueMicrotask(() => void this.deliverAll());
  }

  close(): void {
    this.isClosed = true;
  }

  private isWanted(news: N): boolean {
    try {
      return this.listener.wants?.(news) ?? true;
    } catch {
      this.tally.failed += 1;
      return false;
    }
  }

  private async deliverAll(): Promise<void> {
    while (!this.isClosed && this.queue.length > 0) {
      await this.tellLost();
      const news = this.queue.take();
      if (news === undefined || this.isClosed) break;
      const isHeard = await this.tried(() => this.listener.hear(news));
      if (isHeard) this.tally.delivered += 1;
    }
    this.isBusy = false;
  }

  private async tellLost(): Promise<void> {
    if (this.untold === 0) return;
    const lost = this.untold;
    this.untold = 0;
    await this.tried(() => this.listener.lagged?.(lost));
  }

  private async tried(call: () => void | Promise<void>): Promise<boolean> {
    try {
      await call();
      return true;
    } catch {
      this.tally.failed += 1;
      return false;
    }
  }
}
