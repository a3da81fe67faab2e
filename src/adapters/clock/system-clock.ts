import { performance } from "node:perf_hooks";
import type { Clock } from "../../ports/clock.ts";

/** What the runtime offers for waiting; replaceable so that long waits can be tested. */
export type TimerSource = {
  readonly start: (call: () => void, ms: number) => () => void;
};

/** setTimeout fires at once for anything longer. */
export const longestTimeoutMs = 2_147_483_647;

export function createSystemClock(timers: TimerSource = runtimeTimers): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after: (ms, call) => startChain(timers, ms, call),
  };
}

const runtimeTimers: TimerSource = {
  start: (call, ms) => {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};

function startChain(timers: TimerSource, ms: number, call: () => void): () => void {
  let remainingMs = Number.isNaN(ms) ? 0 : Math.max(0, ms);
  const startPart = (): (() => void) => {
    const partMs = Math.min(remainingMs, longestTimeoutMs);
    remainingMs -= partMs;
    return timers.start(remainingMs > 0 ? goOn : call, partMs);
  };
  const goOn = (): void => {
    cancelPart = startPart();
  };
  let cancelPart = startPart();
  return () => cancelPart();
}
