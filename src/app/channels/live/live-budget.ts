import type { Clock } from "../../../ports/clock.ts";

const atOnce = 10;
const perSecond = 5;

/** How many live calls one account bears, beside the messages that must arrive: Telegram takes 30 calls a second of a bot, of which
 *  what is sent may use 25. */
export class LiveBudget {
  private readonly clock: Clock;
  private left = atOnce;
  private at: number;

  constructor(clock: Clock) {
    this.clock = clock;
    this.at = clock.monotonic();
  }

  /** @returns whether one more call may be made now */
  take(): boolean {
    const now = this.clock.monotonic();
    this.left = Math.min(atOnce, this.left + ((now - this.at) * perSecond) / 1_000);
    this.at = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
