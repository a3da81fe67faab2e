import { expect, it } from "vitest";
import { closeEnough } from "../../../src/memory/search/close-enough.ts";
import type { MemoryHit } from "../../../src/schema/memory.ts";

function hit(score: number): MemoryHit {
  const place = {
    path: "main/local/MEMORY.md",
    partition: "main/local",
    line_start: 1,
    line_end: 1,
  };
  return { ...place, kind: "memory", heading: "", text: "-", origins: [], score };
}

it("drops what is only the nearest of what has nothing to do with the question", () => {
  expect(closeEnough([0.6, 0.25, 0.19, 0.13].map(hit))).toEqual([hit(0.6), hit(0.25)]);
});
