/** The newest of many, oldest first; what is more than `capacity` is forgotten. */
export class Recent<T> {
  private kept: T[] = [];
  private readonly capacity: number;
  /** Counts what was ever added, so that whoever drew knows whether there is more. */
  added = 0;
  /** How often all was forgotten. */
  cleared = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get rows(): readonly T[] {
    return this.kept;
  }

  add(more: readonly T[]): void {
    this.added += more.length;
    this.kept.push(...more.slice(-this.capacity));
    const slack = Math.ceil(this.capacity / 10);
    if (this.kept.length > this.capacity + slack) this.kept = this.kept.slice(-this.capacity);
  }

  clear(): void {
    this.kept = [];
    this.cleared += 1;
  }
}
