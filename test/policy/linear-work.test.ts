import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostileInputs } from "../../bench/support/hostile-inputs.ts";
import { type BlockCounter, createBlockCounter } from "../support/block-counts.ts";

/** What strangers write costs its length, not its square; `npm run bench -- hostile-input` shows the nanoseconds. */

describe("hostile text that is twice as long", () => {
  let counter: BlockCounter;
  beforeAll(() => {
    counter = createBlockCounter();
  });
  afterAll(() => counter.close());

  it.each(hostileInputs)("takes no more than twice the work: $name", ({ of }) => {
    const [short, long] = [of(8_000), of(16_000)].map((read) => counter.count(read, "/src/"));
    expect(short).toBeGreaterThan(0);
    expect(long).toBeLessThan(2.5 * (short ?? 0) + 100);
  });
});

/** Patterns are matched outside our code, where nothing can be counted: what goes back over and over again would take minutes. */
it.each(hostileInputs)("$name: 128 KB come to an end", ({ of }) => {
  const read = of(128 * 1024);
  expect(() => runInNewContext("read()", { read }, { timeout: 30_000 }) as unknown).not.toThrow();
});
