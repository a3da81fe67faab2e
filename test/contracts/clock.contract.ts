import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/ports/clock.ts";

/** `elapse` lets at least `ms` go by on the clock, and every timer that falls due in it fire. */
export type ClockUnderTest = {
  readonly clock: Clock;
  readonly elapse: (ms: number) => Promise<void>;
};

/** What every clock does. */
export function describeClock(name: string, create: () => ClockUnderTest): void {
  describe(`${name} is a clock`, () => {
    it("goes forward, in both of its times", async () => {
      const { clock, elapse } = create();
      const [now, monotonic] = [clock.now(), clock.monotonic()];
      await elapse(5);
      expect(clock.monotonic()).toBeGreaterThanOrEqual(monotonic + 4);
      expect(clock.now()).toBeGreaterThan(now);
    });

    it("calls back once, and not before its time nor while `after` runs", async () => {
      const { clock, elapse } = create();
      const calls: string[] = [];
      clock.after(0, () => calls.push("at once"));
      clock.after(10, () => calls.push("later"));
      expect(calls).toEqual([]);
      await elapse(2);
      expect(calls).toEqual(["at once"]);
      await elapse(30);
      expect(calls).toEqual(["at once", "later"]);
    });

    it("calls back in due order", async () => {
      const { clock, elapse } = create();
      const calls: number[] = [];
      for (const ms of [20, 5, 12]) clock.after(ms, () => calls.push(ms));
      await elapse(40);
      expect(calls).toEqual([5, 12, 20]);
    });

    it("does not call back what was cancelled, and may be told so twice or too late", async () => {
      const { clock, elapse } = create();
      const calls: string[] = [];
      const cancel = clock.after(5, () => calls.push("cancelled"));
      const cancelLate = clock.after(5, () => calls.push("fired"));
      cancel();
      cancel();
      await elapse(20);
      cancelLate();
      expect(calls).toEqual(["fired"]);
    });

    it("takes a time that is past, or no number, as none", async () => {
      const { clock, elapse } = create();
      const calls: number[] = [];
      for (const ms of [-1, Number.NaN]) clock.after(ms, () => calls.push(ms));
      await elapse(3);
      expect(calls).toEqual([-1, Number.NaN]);
    });

    it("waits longer than setTimeout can", async () => {
      const { clock, elapse } = create();
      const calls: string[] = [];
      const cancel = clock.after(2 ** 31 + 10, () => calls.push("too early"));
      await elapse(5);
      expect(calls).toEqual([]);
      cancel();
    });
  });
}
