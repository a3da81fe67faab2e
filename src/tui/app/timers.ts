/** Time as the interface knows it; tests have their own. */
export type Timers = {
  now(): number;
  /** @returns takes it back */
  after(ms: number, call: () => void): () => void;
};

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** At most one call in `ms`: the first at once, then one for all that came meanwhile. */
export function throttled(timers: Timers, ms: number, call: () => void): () => void {
  let isWaiting = false;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    timers.after(Math.max(0, last + ms - timers.now()), () => {
      isWaiting = false;
      last = timers.now();
      call();
    });
  };
}

export type Sparing = {
  /** Between two of them at least. */
  readonly everyMs: number;
  /** Of the time, at most this part is spent on it. */
  readonly share?: number;
};

/** The longest that what is shown may be behind. */
const longestPauseMs = 10_000;

/** Asks somebody who has other things to do: what takes long is done seldom, and what came meanwhile once for all. */
export function sparing(
  timers: Timers,
  { everyMs, share = 0.01 }: Sparing,
  ask: () => Promise<unknown>,
): () => void {
  let isWanted = false;
  let isBusy = false;
  let notBefore = Number.NEGATIVE_INFINITY;
  const work = async () => {
    isWanted = false;
    const begun = timers.now();
    await ask();
    const took = timers.now() - begun;
    notBefore = begun + Math.min(longestPauseMs, Math.max(everyMs, took / share));
    isBusy = false;
    if (isWanted) soon();
  };
  const soon = () => {
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    timers.after(Math.max(0, notBefore - timers.now()), () => void work());
  };
  return soon;
}
