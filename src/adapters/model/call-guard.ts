/** One signal for everything that ends a model call early: its caller, silence, or too long an answer. */

export type CallGuard = {
  readonly signal: AbortSignal;
  /** Starts the silence limit anew. */
  heard(): void;
  isTimedOut(): boolean;
  /** Ends what still runs, so that a half-read answer holds no connection. */
  abandon(): void;
  /** Releases the timers and the caller's signal. */
  release(): void;
};

type CallLimits = {
  readonly silenceMs: number;
  readonly totalMs: number;
};

export function guardCall(caller: AbortSignal, limits: CallLimits): CallGuard {
  const controller = new AbortController();
  let timedOut = false;
  const giveUp = () => {
    timedOut = true;
    controller.abort();
  };
  const abort = () => controller.abort();
  const silence = setTimeout(giveUp, limits.silenceMs);
  const total = setTimeout(giveUp, limits.totalMs);
  caller.addEventListener("abort", abort, { once: true });
  if (caller.aborted) abort();
  return {
    signal: controller.signal,
    heard: () => void silence.refresh(),
    isTimedOut: () => timedOut && !caller.aborted,
    abandon: abort,
    release: () => {
      clearTimeout(silence);
      clearTimeout(total);
      caller.removeEventListener("abort", abort);
    },
  };
}
