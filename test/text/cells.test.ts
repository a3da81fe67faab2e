import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellsOf } from "../../src/text/cells.ts";
import { displayWidth, fit, wrap } from "../../src/text/text-width.ts";

function shown(text: string): string {
  return cellsOf(text)
    .map((cell) => `${cell.text}${cell.width}`)
    .join(" ");
}

describe("the cells of a terminal", () => {
  it.each([
    ["plain letters", "aé", "a1 é1"],
    ["Chinese, kana, Hangul, full width", "漢かハ한Ａ", "漢2 か2 ハ2 한2 Ａ2"],
    ["Hangul in its parts", "\u1112\u1161\u11ab!", "\u1112\u1161\u11ab2 !1"],
    ["emoji of old and new", "😀✅⭐⏳🫠", "😀2 ✅2 ⭐2 ⏳2 🫠2"],
    ["a family as its first member", "👩‍👩‍👧‍👦x", "👩2 x1"],
    ["a tone of skin as the plain sign", "👍🏽 👩🏽‍💻", "👍2  1 👩2"],
    ["a sign with picture or text style as the plain one", "❤️ ☎︎", "❤1  1 ☎1"],
    ["a key cap as its digit", "1️⃣2", "11 21"],
    ["a flag as its letters", "🇨🇭🇩", "C1 H1 D1"],
    ["a heap of accents as two", "e\u0301\u0302\u0303\u0304x", "e\u0301\u03021 x1"],
    ["an accent on nothing", "\u0301a", "◌\u03011 a1"],
    ["marks that take space", "कि", "क1 ि1"],
    ["a tone of skin alone", "🏽", "🏽2"],
    ["a rainbow flag", "🏳️‍🌈!", "🏳1 !1"],
    ["borders and glyphs", "│●▶…", "│1 ●1 ▶1 …1"],
  ])("hold %s", (_name, text, expected) => {
    expect(shown(text)).toBe(expected);
  });
});

const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 2 }),
    fc.string({ unit: "binary", maxLength: 1 }),
  ),
  maxLength: 20,
});

describe("for any text", () => {
  it("a cell holds one character with at most two marks, and all of them the whole text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cells = cellsOf(text);
        expect(cells.map(({ source }) => source).join("")).toBe(text);
        for (const cell of cells) {
          expect(cell.text).toMatch(/^.[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]{0,2}$/su);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("what is cut or broken fits, and nothing is lost between the lines", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 12 }), (text, width) => {
        const plain = text.replaceAll("\t", " ");
        expect(displayWidth(fit(plain, width))).toBeLessThanOrEqual(width);
        const lines = wrap(plain, width);
        expect(lines.join("")).toBe(plain);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
