import * as fc from "fast-check";
import { describe, it } from "vitest";
import { type SafeText, safe } from "../../src/tui/frame/safe-text.ts";
import { anyPictures, expectFramesHold } from "../tui/terminal/hostile-frames.ts";

describe("much text from strangers on the screen", () => {
  it("never moves a border, leaves nothing behind, and sends the terminal nothing of its own", async () => {
    await fc.assert(
      fc.asyncProperty(anyPictures, ({ pictures, size }) =>
        expectFramesHold({ pictures: pictures.map((texts) => texts.map(safe)), size }),
      ),
      { numRuns: 300 },
    );
  });

  it("is held by the canvas even where nobody cleaned it", async () => {
    await fc.assert(
      fc.asyncProperty(anyPictures, ({ pictures, size }) =>
        expectFramesHold({
          pictures: pictures as unknown as readonly (readonly SafeText[])[],
          size,
        }),
      ),
      { numRuns: 300 },
    );
  });
});
