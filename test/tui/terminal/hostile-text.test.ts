import * as fc from "fast-check";
import { describe, it } from "vitest";
import { anyCleaned, anyUncleaned, expectFramesHold } from "./hostile-frames.ts";

const runs = { numRuns: 12 };

describe("text from strangers on the screen", () => {
  it("L01, L02: never moves a border, leaves nothing behind, and sends the terminal nothing of its own", () =>
    fc.assert(fc.asyncProperty(anyCleaned, expectFramesHold), runs));

  it("is held by the canvas even where nobody cleaned it", () =>
    fc.assert(fc.asyncProperty(anyUncleaned, expectFramesHold), runs));
});
