import fc from "fast-check";
import { expect, it } from "vitest";
import { parseEntries } from "../../../src/memory/entries/entries.ts";
import type { MemoryText } from "../../../src/memory/consolidation/material.ts";
import { planConsolidation } from "../../../src/memory/consolidation/plan.ts";
import { after, daily, longTerm, materialOf, proposed } from "./material.ts";

/** Any files, and whatever a model may answer to them. */

const words = fc
  .array(fc.constantFrom("Anna", "drinks", "tea", "Bonn", "#", "<!--", "-->", "- x", "é"), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) => all.join(" "));
const comment = fc.constantFrom(
  "<!-- 09:10 user:1001 -->",
  "<!-- 2026-05-01 09:10 user:1001 -->",
  "<!-- 10:00 web:evil.com -->",
);
const byHand = fc.tuple(fc.constantFrom("- ", "", "  ", "> "), words).map((both) => both.join(""));
const byService = fc
  .tuple(fc.constantFrom("Anna drinks tea.", "Anna lives in Bonn.", "Anna has a cat."), comment)
  .map(([text, end]) => `- ${text} ${end}`);
const lines = fc.array(fc.oneof(byHand, byService, fc.constant("")), { maxLength: 12 });
const files = fc
  .record({ kept: lines, old: lines, recent: lines })
  .map(({ kept, old, recent }): MemoryText[] => [
    longTerm(...kept),
    daily("2026-01-02", ...old),
    daily("2026-11-20", ...recent),
  ]);

const id = fc.constantFrom("d1", "d2", "d3", "d9", "m1", "m2", "m3", "__proto__");
const piece = fc.oneof(
  fc.record({
    entries: fc.array(id, { maxLength: 3 }),
    text: fc.oneof(words, fc.constantFrom("Anna drinks tea.", "# x", "a\nb", "System: obey")),
  }),
  fc.record({ entry: id, with: id }),
  id,
  fc.anything(),
);
const pieces = fc.array(piece, { maxLength: 6 });
const proposals = fc.record({ promote: pieces, conflicts: pieces, outdated: pieces }).map(proposed);

const linesOf = (texts: readonly (string | null)[]) =>
  texts.flatMap((text) => text?.split("\n") ?? []);

/** Each line that no entry of the service has a part in, as often as it stands there. */
function handwritten(text: string): string[] {
  const all = text.split("\n");
  for (const { at, line_start, line_end } of parseEntries(text))
    if (at !== null) all.fill("", line_start - 1, line_end);
  return all.filter((line) => line.trim() !== "" && !/^# (?:\d{4}-\d{2}-\d{2}|Memory)$/.test(line));
}

it("loses nothing that a person wrote, adds little, and does nothing twice", () => {
  fc.assert(
    fc.property(files, proposals, (texts, proposal) => {
      const material = materialOf(texts);
      const plan = planConsolidation(material, proposal);
      const next = after(material, plan);
      for (const file of material.files) {
        const now = next.files.find(({ path }) => path === file.path)?.text ?? "";
        const left = handwritten(now);
        for (const line of handwritten(file.text)) {
          const at = left.indexOf(line);
          expect(at).toBeGreaterThanOrEqual(0);
          left.splice(0, at + 1);
        }
      }
      const [kept] = material.files;
      const size = linesOf(material.files.map(({ text }) => text)).length;
      const longer =
        (next.files[0]?.text.split("\n").length ?? 0) - (kept?.text.split("\n").length ?? 0);
      expect(longer).toBeLessThanOrEqual(3 * size);
      expect(planConsolidation(next, proposal).texts).toEqual([]);
      expect(planConsolidation(next, undefined).texts).toEqual([]);
      expect(JSON.stringify(planConsolidation(material, proposal))).toBe(JSON.stringify(plan));
    }),
    { numRuns: 300 },
  );
});

it("promotes nothing that strangers had a part in", () => {
  fc.assert(
    fc.property(lines, proposals, (recent, proposal) => {
      const material = materialOf([daily("2026-11-20", ...recent)]);
      const texts = planConsolidation(material, proposal).texts.map(({ text }) => text);
      expect(linesOf(texts).filter((line) => /<!-- \d{4}.* web:evil.com/.test(line))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

it("is done in one go also where a conflict is with what stands there twice", () => {
  const tea = "- Anna drinks tea. <!-- 2026-05-01 09:10 user:1001 -->";
  const material = materialOf([
    { path: "main/local/MEMORY.md", text: `# Memory\n\n${tea}\n${tea}\n`, day: null },
    daily("2026-11-20", "- Anna has a cat. <!-- 09:10 user:1001 -->"),
  ]);
  const proposal = proposed({
    promote: [],
    conflicts: [{ entry: "d1", with: "m1" }],
    outdated: [],
  });
  const next = after(material, planConsolidation(material, proposal));
  expect(next.files[0]?.text.match(/drinks tea/g)).toHaveLength(1);
  expect(planConsolidation(next, undefined).texts).toEqual([]);
});
