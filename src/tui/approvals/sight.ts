import type { Timers } from "../app/timers.ts";

/** What was typed before a question could be read is no answer to it. */
const readableAfterMs = 400;

/** Which question stands before somebody's eyes, and whether it has for long enough to be answered. */
export class Sight {
  private readonly timers: Timers;
  private seen: { readonly what: string; readonly since: number } | undefined;

  constructor(timers: Timers) {
    this.timers = timers;
  }

  /** It is on the screen now. */
  see(what: string): void {
    if (this.seen?.what !== what) this.seen = { what, since: this.timers.now() };
  }

  /** It is not on the screen, or lies under something else. */
  lose(): void {
    this.seen = undefined;
  }

  /** Whether exactly this can have been read. */
  hasRead(what: string): boolean {
    return this.seen?.what === what && this.timers.now() - this.seen.since >= readableAfterMs;
  }
}
