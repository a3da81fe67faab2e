import { expect, it } from "vitest";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { sparing } from "../../src/tui/app/timers.ts";

const turns = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

/** Wished for every 10 ms; each answer takes `tookMs`. @returns how often it asked within 20 s */
async function asked(tookMs: number, share?: number): Promise<number> {
  const clock = createSimulatedClock();
  let count = 0;
  const ask = () => {
    count += 1;
    return new Promise<void>((resolve) => void clock.after(tookMs, resolve));
  };
  const soon = sparing(
    clock,
    share === undefined ? { everyMs: 300 } : { everyMs: 300, share },
    ask,
  );
  for (let ms = 0; ms < 20_000; ms += 10) {
    soon();
    clock.advance(10);
    await turns();
  }
  return count;
}

it("asks at its pace while answers are quick", async () => {
  expect(await asked(0)).toBeGreaterThan(60);
});

it("spends at most its share of the time where answers take long", async () => {
  expect(await asked(20)).toBeLessThanOrEqual(11);
  expect(await asked(20, 0.1)).toBeGreaterThan(50);
});

it("is never more than ten seconds behind, and never asks twice at once", async () => {
  expect(await asked(5_000)).toBe(3);
});

it("asks once more for what came while it asked, and then no more", async () => {
  const clock = createSimulatedClock();
  let count = 0;
  let answer = () => {};
  const soon = sparing(clock, { everyMs: 100 }, () => {
    count += 1;
    return new Promise<void>((resolve) => {
      answer = resolve;
    });
  });
  soon();
  clock.advance(0);
  soon();
  soon();
  answer();
  await turns();
  clock.advance(1_000);
  expect(count).toBe(2);
  answer();
  await turns();
  clock.advance(20_000);
  expect(count).toBe(2);
});
