import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createBus } from "../../src/bus/bus.ts";
import { mergeText } from "../../src/bus/merge-text.ts";
import { describeBus, type Told } from "../contracts/bus.contract.ts";

describeBus("the bus in memory", () => ({
  bus: createBus<Told>({ kindOf: ({ type }) => type, merge: mergeText }),
  settled: () => setImmediate(),
}));

describe("merging text", () => {
  const piece = (text: string) =>
    ({ type: "text.delta", trace_id: "t", address: "run", source: "a", text }) as const;

  it("makes no piece larger than 64 Ki characters", () => {
    const half = "x".repeat(32_768);
    expect(mergeText(piece(half), piece(half))?.text).toHaveLength(65_536);
    expect(mergeText(piece(half), piece(`${half}y`))).toBeUndefined();
  });
});
