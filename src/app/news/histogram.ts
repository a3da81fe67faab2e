import type { ShownHistogram } from "../../schema/shown/observed.ts";

/** Milliseconds up to which a duration falls into a bucket; longer ones are in the last. */
const upTo = [10, 100, 1_000, 10_000, 60_000, 600_000] as const;

/** How long things took, in a few numbers. */
export class Histogram {
  private readonly buckets = [...upTo, Number.POSITIVE_INFINITY].map(() => 0);
  private count = 0;
  private sum = 0;
  private longest = 0;

  add(ms: number): void {
    const found = upTo.findIndex((bound) => ms <= bound);
    const bucket = found < 0 ? upTo.length : found;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.count += 1;
    this.sum += ms;
    this.longest = Math.max(this.longest, ms);
  }

  show(): ShownHistogram {
    const { count, sum, longest } = this;
    return {
      count,
      mean_ms: count === 0 ? 0 : Math.round(sum / count),
      max_ms: longest,
      buckets: this.buckets.map((of, index) => ({ up_to_ms: upTo[index] ?? null, count: of })),
    };
  }
}
