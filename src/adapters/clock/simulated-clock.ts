import type { Clock } from "../../ports/clock.ts";

/** A clock that stands still until it is told to go on. */
export type SimulatedClock = Clock & {
  /** Fires, in due order, what falls due within the next `ms`; what was set first fires first among equals. */
  readonly advance: (ms: number) => void;
  /** The same up to a moment, in milliseconds since the epoch. */
  readonly advanceTo: (at: number) => void;
  /** When the next timer is due, or null. */
  readonly nextDue: () => number | null;
};

type Timer = { readonly at: number; readonly call: () => void };

export function createSimulatedClock(startAt: number = Date.UTC(2026, 0, 1)): SimulatedClock {
  let nowMs = startAt;
  const timers = new Set<Timer>();

  const advanceTo = (at: number): void => {
    if (!(at >= nowMs)) throw new RangeError(`a clock does not go back: from ${nowMs} to ${at}`);
    for (let due = earliest(timers); due !== null && due.at <= at; due = earliest(timers)) {
      timers.delete(due);
      nowMs = Math.max(nowMs, due.at);
      due.call();
    }
    nowMs = Math.max(nowMs, at);
  };

  return {
    now: () => nowMs,
    monotonic: () => nowMs - startAt,
    after: (ms, call) => {
      const timer = { at: nowMs + (Number.isNaN(ms) ? 0 : Math.max(0, ms)), call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance: (ms) => advanceTo(nowMs + ms),
    advanceTo,
    nextDue: () => earliest(timers)?.at ?? null,
  };
}

function earliest(timers: ReadonlySet<Timer>): Timer | null {
  let first: Timer | null = null;
  for (const timer of timers) {
    if (first === null || timer.at < first.at) first = timer;
  }
  return first;
}
