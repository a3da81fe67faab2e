import { shownLines } from "./shown.ts";

const lastIsWhole = /[\u0020-\u007e\n\t]$/;
const lookBehind = 256;
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Cleans text that comes in pieces: a character that the next piece may still complete is held back until then. */
export class TextStream {
  private held = "";

  /** @returns what can be shown now */
  push(piece: string): string {
    const text = this.held + piece;
    const cut = lastIsWhole.test(text) ? text.length : lastGrapheme(text);
    this.held = text.slice(cut);
    return shownLines(text.slice(0, cut));
  }

  /** @returns what was held back */
  end(): string {
    const text = this.held;
    this.held = "";
    return shownLines(text);
  }
}

/** Where the last grapheme starts, for which half of a surrogate pair is none yet. */
function lastGrapheme(text: string): number {
  const whole = text.replace(/[\ud800-\udbff]$/, "");
  const from = Math.max(0, whole.length - lookBehind);
  let start = from;
  for (const { index } of segmenter.segment(whole.slice(from))) start = from + index;
  return start;
}
