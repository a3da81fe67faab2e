import { describe, expect, it } from "vitest";
import { visibleText } from "../../src/policy/visible-text.ts";

describe("visible text", () => {
  it("leaves what shows as itself", () => {
    expect(visibleText("Grüße, 日本 🦀 a\\b~%2e")).toBe("Grüße, 日本 🦀 a\\b~%2e");
  });

  it.each([
    ["line breaks", "a\r\nb", "a\\u{d}\\u{a}b"],
    ["terminal sequences", "\x1b[2J\u009b31m\x07", "\\u{1b}[2J\\u{9b}31m\\u{7}"],
    ["text direction", "a\u202eb\u2066", "a\\u{202e}b\\u{2066}"],
    ["zero width", "a\u200bb\ufeff", "a\\u{200b}b\\u{feff}"],
    ["tags", "a\u{e0041}", "a\\u{e0041}"],
    ["blank fillers", "\u3164\u2800\u115f", "\\u{3164}\\u{2800}\\u{115f}"],
    ["lone surrogates", "\ud800x", "\\u{d800}x"],
  ])("shows %s as escapes", (_name, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});
