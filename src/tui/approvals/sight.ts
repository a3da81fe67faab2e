import type { Timers } from "../app/timers.ts";
import type { Size } from "../frame/frame.ts";
import { own } from "../frame/safe-text.ts";

/** What was typed before a question could be read is no answer to it. */
const readableAfterMs = 400;
/** One that came by itself to where another one stood may get the key that was meant for that, or the repeats of one held down. */
const noticedAfterMs = 1_000;

/** Where less of a question is in sight at a time, it is not asked. */
const leastRoom: Size = { columns: 30, rows: 6 };

export const tooSoon = own`that key came before this could be read: press it again`;

export function isReadable({ columns, rows }: Size): boolean {
  return columns >= leastRoom.columns && rows >= leastRoom.rows;
}

type Seen = {
  readonly what: string;
  readonly wait: number;
  /** When it was on the screen; undefined while it is being drawn there. */
  readonly since: number | undefined;
};

/** Which question stands before somebody's eyes, and whether it has for long enough to be answered. */
export class Sight {
  private readonly timers: Timers;
  private seen: Seen | undefined;

  constructor(timers: Timers) {
    this.timers = timers;
  }

  /** It is part of the picture that is drawn next. */
  see(what: string): void {
    if (this.seen?.what === what) return;
    const wait = this.seen === undefined ? readableAfterMs : noticedAfterMs;
    this.seen = { what, wait, since: undefined };
  }

  /** The terminal has taken the picture. */
  painted(): void {
    if (this.seen === undefined) return;
    this.seen = { ...this.seen, since: this.seen.since ?? this.timers.now() };
  }

  /** It is not on the screen, or lies under something else. */
  lose(): void {
    this.seen = undefined;
  }

  /** Whether exactly this can have been read. One that is answered too early is to be read anew. */
  hasRead(what: string): boolean {
    if (this.seen?.what !== what || this.seen.since === undefined) return false;
    const { since, wait } = this.seen;
    const now = this.timers.now();
    if (now - since >= wait) return true;
    this.seen = { what, wait: readableAfterMs, since: now };
    return false;
  }
}
