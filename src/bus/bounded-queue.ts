export type QueueOptions<T> = {
  readonly capacity: number;
  /** Two neighbours as one, or undefined where they stay apart. */
  readonly merge: (older: T, newer: T) => T | undefined;
};

/** First in, first out. When it is full, the oldest makes room. */
export class BoundedQueue<T> {
  private readonly options: QueueOptions<T>;
  private items: (T | undefined)[] = [];
  /** Those before it are taken. */
  private head = 0;

  /** @param options with a capacity of 1 or more */
  constructor(options: QueueOptions<T>) {
    this.options = options;
  }

  get length(): number {
    return this.items.length - this.head;
  }

  /** @returns whether the oldest was dropped */
  push(item: T): boolean {
    const newest = this.length === 0 ? undefined : this.items.at(-1);
    const merged = newest === undefined ? undefined : this.options.merge(newest, item);
    if (merged !== undefined) {
      this.items[this.items.length - 1] = merged;
      return false;
    }
    this.items.push(item);
    if (this.length <= this.options.capacity) return false;
    this.take();
    return true;
  }

  take(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.items[this.head];
    this.items[this.head] = undefined;
    this.head += 1;
    if (this.head > this.items.length / 2) this.forgetTaken();
    return item;
  }

  private forgetTaken(): void {
    this.items = this.items.slice(this.head);
    this.head = 0;
  }
}
