import { charWidth } from "./char-width.ts";

/** What the cells of a terminal hold. A cluster of which terminals disagree how wide it is becomes what they agree upon:
 *  a family its first member, a flag its letters, a heap of accents its first two; picture and text style become the plain sign. */

export type Cell = {
  /** One character and at most two marks on it. */
  readonly text: string;
  readonly width: 1 | 2;
};

const maxMarks = 2;
const lastAscii = 0x7e;
const joiner = 0x200d;
const markHolder = "\u25cc";
const asciiCells: readonly Cell[] = Array.from({ length: lastAscii + 1 }, (_, code) => ({
  text: String.fromCharCode(code),
  width: 1,
}));

const picture = /^\p{Extended_Pictographic}/u;
const oldHangul = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7ff]/;
const styleOfSign = /^[\p{Variation_Selector}\p{Emoji_Modifier}\u20e3]$/u;
const skinTone = /^\p{Emoji_Modifier}$/u;
const [firstFlagLetter, lastFlagLetter] = [0x1f1e6, 0x1f1ff];

/** Of cleaned text. Characters that are no text (controls, lone surrogates) take one cell each. */
export function cellsOf(text: string): Cell[] {
  const cells: Cell[] = [];
  let isJoined = false;
  for (const character of oldHangul.test(text) ? text.normalize("NFC") : text) {
    const code = character.codePointAt(0) ?? 0;
    const ascii = asciiCells[code];
    if (ascii === undefined) isJoined = addTo(cells, { character, code, isJoined });
    else cells.push(ascii);
    if (ascii !== undefined) isJoined = false;
  }
  return cells;
}

type Found = { readonly character: string; readonly code: number; readonly isJoined: boolean };

/** @returns whether the next picture is joined to the one before */
function addTo(cells: Cell[], { character, code, isJoined }: Found): boolean {
  const last = cells.at(-1);
  const isOnPicture = last !== undefined && picture.test(last.text);
  if (code === joiner && isOnPicture) return true;
  if (isJoined && picture.test(character)) return false;
  if (isStyle(character, last, isOnPicture)) return isJoined;
  const width = charWidth(code);
  if (code >= firstFlagLetter && code <= lastFlagLetter) {
    cells.push({ text: String.fromCharCode(code - firstFlagLetter + 65), width: 1 });
  } else if (width > 0) {
    cells.push({ text: character, width: width as 1 | 2 });
  } else if (last === undefined) {
    cells.push({ text: markHolder + character, width: 1 });
  } else if (Array.from(last.text).length <= maxMarks) {
    cells.splice(-1, 1, { text: last.text + character, width: last.width });
  }
  return false;
}

function isStyle(character: string, last: Cell | undefined, isOnPicture: boolean): boolean {
  if (skinTone.test(character)) return isOnPicture;
  return last !== undefined && styleOfSign.test(character);
}
