import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapWords } from "../../src/text/wrap-words.ts";
import { displayWidth } from "../../src/text/text-width.ts";
import { WrappedText } from "../../src/tui/chat/wrapped-text.ts";
import { TranscriptWindow } from "../../src/tui/chat/transcript-window.ts";
import { line } from "../../src/tui/frame/line.ts";
import { own } from "../../src/tui/frame/safe-text.ts";
import { workMs } from "../support/work-ms.ts";

const soup = fc.string({
  unit: fc.oneof(
    fc.constantFrom(" ", "\n", "```", "a", "\t", "\u001b", "\ud83d"),
    fc.constantFrom("漢", "🦀", "e\u0301", "\r\n", "👨‍👩‍👧"),
  ),
  maxLength: 80,
});

function wrappedIn(pieces: readonly string[], width: number): readonly string[] {
  const text = new WrappedText(width);
  for (const piece of pieces) text.push(piece);
  text.end();
  return text.lines;
}

describe("text that is wrapped while it grows", () => {
  it("is broken between words, in code where lines are full", () => {
    expect(wrapWords("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(wrapWords("incomprehensibilities are", 8)).toEqual([
      "incompre",
      "hensibil",
      "ities",
      "are",
    ]);
    expect(wrappedIn(["a b c\n```\nx = 1 + 22\n", "```\nthe quick brown"], 8)).toEqual([
      "a b c",
      "```",
      "x = 1 + ",
      "22",
      "```",
      "the",
      "quick",
      "brown",
    ]);
  });

  it("reads the same however it came in pieces, and is never wider than its room", () => {
    fc.assert(
      fc.property(fc.array(soup), fc.integer({ min: 4, max: 30 }), (pieces, width) => {
        const lines = wrappedIn(pieces, width);
        expect(lines).toEqual(wrappedIn([pieces.join("")], width));
        for (const each of lines) expect(displayWidth(each)).toBeLessThanOrEqual(width);
      }),
      { numRuns: 500 },
    );
  });

  it("costs no more at its end than at its beginning", async () => {
    const text = new WrappedText(80);
    const piece = "some words of an answer that goes on ";
    for (let times = 0; times < 2_000; times += 1) text.push(piece);
    const spent = await workMs(() => {
      for (let times = 0; times < 1_000; times += 1) text.push(piece);
    });
    expect(spent).toBeLessThan(500);
  });
});

describe("the window of a transcript", () => {
  const made: number[] = [];
  const blocks = (count: number) => ({
    all: Array.from({ length: count }, (_, index) => index),
    lines(index: number) {
      made.push(index);
      return [line(own`${index} a`), line(own`${index} b`), line(own`${index} c`)];
    },
  });
  const shown = (window: TranscriptWindow<number>, count: number) =>
    window.window(blocks(count), 4).map((each) => each.map(({ text }) => text).join(""));

  it("stays at the end while blocks are added, and where it is once it was scrolled", () => {
    const window = new TranscriptWindow<number>();
    expect(shown(window, 5)).toEqual(["3 c", "4 a", "4 b", "4 c"]);
    expect(shown(window, 6)).toEqual(["4 c", "5 a", "5 b", "5 c"]);
    window.pageUp(blocks(6));
    expect(shown(window, 6)).toEqual(["3 c", "4 a", "4 b", "4 c"]);
    expect(shown(window, 9)).toEqual(["3 c", "4 a", "4 b", "4 c"]);
    for (let times = 0; times < 9; times += 1) window.pageDown(blocks(9));
    expect(shown(window, 10)).toEqual(["8 c", "9 a", "9 b", "9 c"]);
  });

  it("says when it can go no further up", () => {
    const window = new TranscriptWindow<number>();
    expect(shown(window, 2)).toEqual(["0 c", "1 a", "1 b", "1 c"]);
    expect(window.pageUp(blocks(2))).toBe(true);
    expect(window.pageUp(blocks(2))).toBe(false);
    expect(shown(window, 2)).toEqual(["0 a", "0 b", "0 c", "1 a"]);
  });

  it("makes only what is in sight", () => {
    made.length = 0;
    shown(new TranscriptWindow<number>(), 100_000);
    expect(Math.min(...made)).toBe(99_998);
  });
});
