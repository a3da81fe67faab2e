import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { createSystemClock, longestTimeoutMs } from "../../../src/adapters/clock/system-clock.ts";
import { describeClock } from "../../contracts/clock.contract.ts";

describeClock("the system clock", () => {
  const clock = createSystemClock();
  return { clock, elapse: (ms) => new Promise((resolve) => void clock.after(ms + 2, resolve)) };
});

describe("the system clock", () => {
  it("chains a wait that is longer than setTimeout's longest, and can cancel it in any part", () => {
    const started: number[] = [];
    const cancelled: number[] = [];
    let fire: () => void = expect.unreachable;
    const clock = createSystemClock({
      start: (call, ms) => {
        started.push(ms);
        fire = call;
        return () => cancelled.push(ms);
      },
    });
    const calls: string[] = [];
    clock.after(2 * longestTimeoutMs + 5, () => calls.push("due"));
    fire();
    fire();
    expect([started, calls]).toEqual([[longestTimeoutMs, longestTimeoutMs, 5], []]);
    fire();
    expect(calls).toEqual(["due"]);
    const cancel = clock.after(longestTimeoutMs + 7, () => calls.push("never"));
    fire();
    cancel();
    expect(cancelled).toEqual([7]);
  });

  it("keeps no process alive", () => {
    const module = new URL("../../../src/adapters/clock/system-clock.ts", import.meta.url).href;
    const script = `import { createSystemClock } from ${JSON.stringify(module)};
      createSystemClock().after(3_600_000, () => undefined);
      console.log("done");`;
    const output = execFileSync(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "-e", script],
      { encoding: "utf8", timeout: 50_000 },
    );
    expect(output).toBe("done\n");
  });
});
