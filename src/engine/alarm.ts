import type { Clock } from "../ports/clock.ts";

/** Wakes up for the earliest of the times it is given, and at least every `sweepMs`: what is due stands in rows, so waking too
 *  often does no harm, and a clock that jumps is noticed. */
export class Alarm {
  private readonly clock: Clock;
  private readonly sweepMs: number;
  private wake: () => void = () => {};
  private wakesAt = Number.POSITIVE_INFINITY;
  private cancel: () => void = () => {};

  constructor(clock: Clock, sweepMs: number) {
    this.clock = clock;
    this.sweepMs = sweepMs;
  }

  start(wake: () => void): void {
    this.wake = wake;
  }

  /** @param at milliseconds since the epoch */
  arm(at: number): void {
    const now = this.clock.now();
    const wakesAt = Math.min(Math.max(at, now), now + this.sweepMs);
    if (wakesAt >= this.wakesAt) return;
    this.cancel();
    this.wakesAt = wakesAt;
    this.cancel = this.clock.after(wakesAt - now, () => {
      this.wakesAt = Number.POSITIVE_INFINITY;
      this.wake();
    });
  }

  close(): void {
    this.cancel();
    this.wakesAt = Number.NEGATIVE_INFINITY;
  }
}
