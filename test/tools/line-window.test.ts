import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LineLimits } from "../../src/tools/line-window.ts";
import { createWindowReader } from "../../src/tools/line-window.ts";

const generous: LineLimits = {
  first: 1,
  count: 100,
  maxLineCharacters: 100,
  maxCharacters: 10_000,
};

function read(bytes: Uint8Array, limits: Partial<LineLimits> = {}, chunk = 7) {
  const reader = createWindowReader({ ...generous, ...limits });
  for (let start = 0; start < bytes.length; start += chunk)
    reader.push(bytes.subarray(start, start + chunk));
  return reader.end();
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a window of lines", () => {
  it("is what splitting the whole text would give, however the bytes are cut", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "🦀", "\n", " "), maxLength: 60 });
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 9 }),
        fc.nat(9),
        fc.integer({ min: 1, max: 5 }),
        (whole, first, count, chunk) => {
          const lines = whole.split("\n");
          if (lines.at(-1) === "") lines.pop();
          const window = read(bytesOf(whole), { first, count }, chunk);
          expect(window.lines).toEqual(lines.slice(first - 1, first - 1 + count));
          expect(window.total).toBe(lines.length);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("cuts long lines at whole characters and tells their bytes", () => {
    const window = read(bytesOf(`${"x".repeat(9)}🦀🦀\nshort\n`), { maxLineCharacters: 10 });
    expect(window.lines).toEqual(["xxxxxxxxx [line cut, it has 17 bytes]", "short"]);
    expect(window.cutLines).toBe(1);
  });

  it("cuts a line whose kept bytes end within a character", () => {
    const window = read(bytesOf(`ab${"🦀".repeat(50)}\n`), { maxLineCharacters: 4 });
    expect(window.lines).toEqual(["ab🦀 [line cut, it has 202 bytes]"]);
    expect(window.hasInvalidUtf8).toBe(false);
  });

  it("ends after the line that fills it", () => {
    const window = read(bytesOf("12345\n12345\n12345\n"), { maxCharacters: 8 });
    expect([window.lines, window.total]).toEqual([["12345", "12345"], 3]);
  });

  it("drops the carriage return of a line end and a byte order mark, and says so of the first", () => {
    const window = read(bytesOf("\ufeffa\r\nb\r\n\ufeffc"));
    expect([window.lines, window.hasCarriageReturns]).toEqual([["a", "b", "\ufeffc"], true]);
  });

  it("shows bytes that are not UTF-8 as replacement characters", () => {
    const window = read(Uint8Array.from([0x61, 0xff, 0x62, 0x0a]));
    expect([window.lines, window.hasInvalidUtf8]).toEqual([["a\ufffdb"], true]);
  });

  it("notices NUL in what it shows, and only there", () => {
    expect(read(bytesOf("a\0\nb\n"), { count: 1 }).hasNul).toBe(true);
    expect(read(bytesOf("a\nb\0\n"), { count: 1 }).hasNul).toBe(false);
  });
});
