import type { Clock } from "../ports/clock.ts";

const everyMs = 60_000;
/** Less is what clocks do all the time. */
const noticedMs = 10_000;

/** Says, within a minute, that the time of day was set back: what waits for a time that was near waits longer since.
 *  @returns stops it */
export function watchClock(clock: Clock, hasGoneBack: () => void): () => void {
  const ahead = () => clock.now() - clock.monotonic();
  let before = ahead();
  let cancel = clock.after(everyMs, look);
  function look(): void {
    cancel = clock.after(everyMs, look);
    const now = ahead();
    const isBack = now < before - noticedMs;
    before = now;
    if (isBack) hasGoneBack();
  }
  return () => cancel();
}
