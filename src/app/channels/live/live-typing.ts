import type { Clock } from "../../../ports/clock.ts";
import type { LiveChannel } from "../../../ports/channel.ts";
import type { LiveBudget } from "./live-budget.ts";

/** Telegram shows the sign for 5 s. */
const everyMs = 4_500;

export type TypingPlace = {
  readonly connectorId: string;
  readonly scope: string;
  readonly live: LiveChannel;
  readonly budget: LiveBudget;
};

/** What tells one conversation from another. */
type PlaceName = Pick<TypingPlace, "connectorId" | "scope">;

type Sign = {
  readonly place: TypingPlace;
  /** Who works there, and until when that is believed without another word. */
  readonly workers: Map<string, number>;
  isShowing: boolean;
  cancel: () => void;
};

/** The sign that somebody writes, shown in each conversation for as long as anybody works there. */
export class LiveTyping {
  private readonly clock: Clock;
  private readonly tried: (call: Promise<unknown>) => void;
  private readonly signs = new Map<string, Sign>();

  /** @param tried takes care of what a call rejects with */
  constructor(clock: Clock, tried: (call: Promise<unknown>) => void) {
    this.clock = clock;
    this.tried = tried;
  }

  /** Somebody begins to work. @param worker an address */
  begin(place: TypingPlace, worker: string): void {
    if (this.join(place, worker, Number.POSITIVE_INFINITY)) this.show(keyOf(place));
  }

  /** Somebody goes on with what another has just shown. @param forMs the longest that is believed */
  goOn(place: TypingPlace, worker: string, forMs: number): void {
    const until = this.clock.monotonic() + forMs;
    if (this.join(place, worker, until)) this.showLater(keyOf(place));
  }

  /** @returns whether nobody has worked there */
  private join(place: TypingPlace, worker: string, until: number): boolean {
    const key = keyOf(place);
    const known = this.signs.get(key);
    const sign = known ?? { place, workers: new Map(), isShowing: false, cancel: () => {} };
    if (!sign.workers.has(worker)) sign.workers.set(worker, until);
    this.signs.set(key, sign);
    return known === undefined;
  }

  end(place: PlaceName, worker: string): void {
    const key = keyOf(place);
    const sign = this.signs.get(key);
    sign?.workers.delete(worker);
    if (sign?.workers.size === 0) this.take(key, sign);
  }

  stop(): void {
    for (const [key, sign] of this.signs) this.take(key, sign);
  }

  private take(key: string, sign: Sign): void {
    sign.cancel();
    this.signs.delete(key);
  }

  private show(key: string): void {
    const sign = this.signs.get(key);
    if (sign === undefined) return;
    const now = this.clock.monotonic();
    for (const [worker, until] of sign.workers) if (until <= now) sign.workers.delete(worker);
    if (sign.workers.size === 0) return this.take(key, sign);
    if (!sign.isShowing && sign.place.budget.take()) this.tried(showOnce(sign));
    this.showLater(key);
  }

  private showLater(key: string): void {
    const sign = this.signs.get(key);
    if (sign !== undefined) sign.cancel = this.clock.after(everyMs, () => this.show(key));
  }
}

/** A channel that answers slowly is not asked again meanwhile. */
async function showOnce(sign: Sign): Promise<void> {
  sign.isShowing = true;
  try {
    await sign.place.live.typing({ scope: sign.place.scope });
  } finally {
    sign.isShowing = false;
  }
}

function keyOf({ connectorId, scope }: PlaceName): string {
  return `${connectorId}/${scope}`;
}
