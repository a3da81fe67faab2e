import { charWidth } from "./char-width.ts";

/** What the cells of a terminal hold. A cluster of which terminals disagree how wide it is becomes what they agree upon:
 *  a family its first member, a flag its letters, a heap of accents its first two; picture and text style become the plain sign. */

export type Cell = {
  /** What is drawn: one character and at most two marks on it. */
  readonly text: string;
  readonly width: 1 | 2;
  /** What it stands for; together they are the whole text. */
  readonly source: string;
};

const maxMarks = 2;
const joiner = 0x200d;
const joined = "\u200d";
const tones = { first: 0x1f3fb, last: 0x1f3ff } as const;
const markHolder = "\u25cc";
const asciiCells: readonly Cell[] = Array.from({ length: 0x7f }, (_, code) => {
  const text = String.fromCharCode(code);
  return { text, width: 1, source: text };
});

const picture = /^\p{Extended_Pictographic}/u;
const style = /^[\p{Variation_Selector}\u20e3]$/u;
const flagLetters = { first: 0x1f1e6, last: 0x1f1ff, ascii: 0x41 } as const;

/** Of cleaned text. A character that is no text (a control, a lone surrogate) takes one cell. */
export function cellsOf(text: string): Cell[] {
  const cells: Cell[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const ascii = asciiCells[code];
    if (ascii !== undefined) cells.push(ascii);
    else addTo(cells, character, code);
  }
  return cells;
}

function addTo(cells: Cell[], character: string, code: number): void {
  const last = cells.at(-1);
  const width = charWidth(code);
  if (last !== undefined && isPartOf(last, character, code)) {
    cells[cells.length - 1] = { ...last, source: last.source + character };
  } else if (width > 0) {
    cells.push({ text: letterOfFlag(code) ?? character, width: width as 1 | 2, source: character });
  } else if (last === undefined) {
    cells.push({ text: markHolder + character, width: 1, source: character });
  } else {
    cells[cells.length - 1] = withMark(last, character);
  }
}

/** What changes the look of the cell before in some terminals, and its width in some. */
function isPartOf(last: Cell, character: string, code: number): boolean {
  if (code >= tones.first && code <= tones.last) return picture.test(last.text);
  if (code === joiner) return picture.test(last.text);
  if (last.source.endsWith(joined) && picture.test(last.text)) return picture.test(character);
  return charWidth(code) === 0 && style.test(character);
}

function withMark({ text, width, source }: Cell, mark: string): Cell {
  const isFull = Array.from(text).length > maxMarks;
  return { text: isFull ? text : text + mark, width, source: source + mark };
}

function letterOfFlag(code: number): string | undefined {
  const { first, last, ascii } = flagLetters;
  return code < first || code > last ? undefined : String.fromCharCode(code - first + ascii);
}
