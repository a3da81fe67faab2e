import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText } from "../../src/text/clean-text.ts";

function line(text: string): string {
  return cleanText(text, { multiline: false });
}

function block(text: string): string {
  return cleanText(text, { multiline: true });
}

describe("L01: what would steer a terminal is shown as an escape", () => {
  it.each([
    ["CSI", "\u001b[31mred", "\\x1b[31mred"],
    ["OSC title", "\u001b]0;title\u0007x", "\\x1b]0;title\\x07x"],
    ["OSC link", "\u001b]8;;http://e\u001b\\t", "\\x1b]8;;http://e\\x1b\\t"],
    ["OSC clipboard, unterminated", "\u001b]52;c;aGk=", "\\x1b]52;c;aGk="],
    ["DCS", "\u001bPq#0\u001b\\", "\\x1bPq#0\\x1b\\"],
    ["APC", "\u001b_G\u001b\\", "\\x1b_G\\x1b\\"],
    ["C1 CSI and OSC", "\u009b31m\u009d0;x\u009c", "\\x9b31m\\x9d0;x\\x9c"],
    ["reset and status report", "\u001bc\u001b[6n", "\\x1bc\\x1b[6n"],
    ["carriage return and backspace", "rm\rls\b\b", "rm\\rls\\x08\\x08"],
    ["NUL, bell, delete", "\u0000\u0007\u007f", "\\x00\\x07\\x7f"],
    ["line breaks and tabs in one line", "a\nb\tc\r\n", "a\\nb\\tc\\r\\n"],
  ])("%s", (_name, hostile, shown) => {
    expect(line(hostile)).toBe(shown);
  });

  it("keeps line breaks and tabs in a block, those of Windows as line breaks", () => {
    expect(block("a\n\tb\r\nc\rd")).toBe("a\n\tb\nc\\rd");
  });
});

describe("L02: what would hide or reorder text is shown as an escape", () => {
  it.each([
    ["bidi override and isolate", "\u202efdp\u2066", "\\u{202e}fdp\\u{2066}"],
    [
      "zero width space, joiner, byte order mark",
      "a\u200bb\u200dc\ufeff",
      "a\\u{200b}b\\u{200d}c\\u{feff}",
    ],
    ["tag characters", "\u{e0041}\u{e007f}", "\\u{e0041}\\u{e007f}"],
    ["variation selectors that carry bytes", "a\ufe01\u{e0101}", "a\\u{fe01}\\u{e0101}"],
    ["blank letters", "\u3164\u115f", "\\u{3164}\\u{115f}"],
    ["line and paragraph separators", "\u2028\u2029", "\\u{2028}\\u{2029}"],
    ["soft hyphen", "\u00ad", "\\xad"],
    ["private use", "\ue0b0\u{f0000}", "\\u{e0b0}\\u{f0000}"],
    ["unassigned, also where emoji will be", "\u0378\u{1faff}", "\\u{378}\\u{1faff}"],
    ["the blank of Braille", "\u2801\u2800", "\u2801\\u{2800}"],
    ["lone surrogates", "a\ud800b\udc00", "a\\u{d800}b\\u{dc00}"],
  ])("%s", (_name, hostile, shown) => {
    expect(line(hostile)).toBe(shown);
  });
});

describe("what people write", () => {
  it.each(["Grüße, 世界, привет, שלום, e\u0301", "🦀 👩‍👩‍👧‍👦 👍🏽 ❤️ 1️⃣ 🏳️‍🌈 🇨🇭 👩🏽‍💻", "C:\\new \\x1b", ""])(
    "stays as it is: %s",
    (text) => {
      expect(line(text)).toBe(text);
    },
  );
});

describe("for any text", () => {
  const hostile = fc.constantFrom(
    "\u001b",
    "\u200d",
    "\ufe0f",
    "👩",
    "🏽",
    "\u202e",
    "\u{e0041}",
    "\ud83d",
    "\r",
    "\n",
    "1",
    "\u20e3",
  );
  const anyText = fc
    .array(fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 30 })
    .map((parts) => parts.join(""));

  it("leaves no control or format character but line breaks, tabs and the joiners inside an emoji", () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, multiline) => {
        const joined = cleanText(text, { multiline }).replaceAll(
          /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu,
          "",
        );
        const plain = joined.replaceAll(/(?<=[\p{Emoji}\p{Emoji_Modifier}])\ufe0f/gu, "");
        const left = multiline ? plain.replaceAll(/[\n\t]/g, "") : plain;
        expect(left).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u);
      }),
      { numRuns: 2_000 },
    );
  });

  it("changes nothing when it is done again", () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, multiline) => {
        const once = cleanText(text, { multiline });
        expect(cleanText(once, { multiline })).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });
});
