import { describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { describeClock } from "../../contracts/clock.contract.ts";

describeClock("the simulated clock", () => {
  const clock = createSimulatedClock();
  return { clock, elapse: async (ms) => clock.advance(ms) };
});

describe("the simulated clock", () => {
  it("stands still until it is told to go on", () => {
    const clock = createSimulatedClock(1_000);
    clock.after(5, () => undefined);
    expect([clock.now(), clock.monotonic(), clock.nextDue()]).toEqual([1_000, 0, 1_005]);
    clock.advanceTo(1_004);
    expect([clock.now(), clock.monotonic(), clock.nextDue()]).toEqual([1_004, 4, 1_005]);
    clock.advanceTo(1_005);
    expect(clock.nextDue()).toBeNull();
  });

  it("shows each timer its own time, and fires what timers set on the way", () => {
    const clock = createSimulatedClock(0);
    const fired: string[] = [];
    clock.after(20, () => fired.push(`b at ${clock.now()}`));
    clock.after(10, () => {
      fired.push(`a at ${clock.now()}`);
      clock.after(5, () => fired.push(`c at ${clock.now()}`));
    });
    clock.after(10, () => fired.push("a second"));
    clock.advance(30);
    expect(fired).toEqual(["a at 10", "a second", "c at 15", "b at 20"]);
    expect(clock.now()).toBe(30);
  });

  it("lets a timer advance it further, and never goes back", () => {
    const clock = createSimulatedClock(0);
    clock.after(1, () => clock.advance(100));
    clock.advance(2);
    expect(clock.now()).toBe(101);
    expect(() => clock.advanceTo(100)).toThrow(RangeError);
    expect(() => clock.advance(Number.NaN)).toThrow(RangeError);
  });
});
