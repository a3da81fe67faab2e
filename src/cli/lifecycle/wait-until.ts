import { setTimeout as delay } from "node:timers/promises";

const firstPauseMs = 15;
const longestPauseMs = 200;

/** Asks again and again until something is found. @returns undefined when the time is over */
export async function waitUntil<T>(
  find: () => Promise<T | undefined> | T | undefined,
  withinMs: number,
): Promise<T | undefined> {
  const deadline = performance.now() + withinMs;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() >= deadline) return undefined;
    await delay(pause);
  }
}
