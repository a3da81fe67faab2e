import { expect, it } from "vitest";
import { consolidationWords } from "../../src/machines/consolidation/consolidation-words.ts";

it("says what a consolidation came to in words that fit one and many", () => {
  const noted = (kind: "refused" | "resolved") => ({ kind, path: null, line: null, text: "" });
  const notes = [noted("resolved"), noted("refused"), noted("refused")];
  const plan = { files: [], notes, more_notes: 0, considered: [] };
  const told = { plan, is_dry_run: false, is_changed: true, error: null };
  expect(consolidationWords(told)).toBe("1 in conflict no more, 2 refused");
});
