import type { Clock } from "../../ports/clock.ts";

const firstMs = 1_000;
const longestMs = 10 * 60_000;

/** How long somebody who failed is left alone: a second, and twice as long after each further failure. */
export class Pause {
  private readonly clock: Pick<Clock, "now">;
  private failures = 0;
  private until = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.clock = clock;
  }

  /** Milliseconds that are left of it. */
  get remainingMs(): number {
    return Math.max(0, this.until - this.clock.now());
  }

  failed(): void {
    const lasts = Math.min(longestMs, firstMs * 2 ** this.failures);
    this.failures += 1;
    this.until = this.clock.now() + lasts;
  }

  succeeded(): void {
    this.failures = 0;
    this.until = 0;
  }
}
