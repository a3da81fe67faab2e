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
