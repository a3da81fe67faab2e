import type { Caller } from "./caller.ts";

/** What a client follows ends with its connection, or when it begins to follow anew: its next notifications are of that alone. */
export function onlyNewest(): (caller: Caller, stop: () => void) => void {
  const followed = new WeakMap<Caller, () => void>();
  return (caller, stop) => {
    followed.get(caller)?.();
    const forget = caller.onEnd(stop);
    followed.set(caller, () => {
      forget();
      stop();
    });
  };
}
