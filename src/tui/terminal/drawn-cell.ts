import type { Cell } from "../../text/cells.ts";
import { asciiOf } from "./ascii-glyphs.ts";

/** What is written for one cell, whatever came in: the last line of defence before the terminal. */

/** As wide as they are here on every terminal: ASCII, kana, Chinese characters, Hangul. */
const sureWidth = /^[\u0020-\u007e\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]$/;
const firstOfWide = "\u3041";
const drawable = /^[^\p{C}\p{Zl}\p{Zp}\p{Mn}\p{Me}][\p{Mn}\p{Me}\u1161-\u11ff\ud7b0-\ud7fb]{0,2}$/u;
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;
const replacement = "\ufffd";
const blankTwo = "\u001b[2X";
const wideInAscii = "??";

type Shown = Pick<Cell, "text" | "width">;

/** @param column its first column, from 0
 *  @returns the character; one that terminals disagree about is followed by the move to where the next one starts,
 *  and one that may be narrower there blanks both of its cells first */
export function drawnCell({ text, width }: Shown, column: number, ascii: boolean): string {
  const shown = shownCharacter({ text, width }, ascii);
  if (ascii || sureWidth.test(text)) return shown;
  const next = `\u001b[${column + width + 1}G`;
  return width === 2 ? `${blankTwo}${shown}${next}` : `${shown}${next}`;
}

export function shownCharacter({ text, width }: Shown, ascii: boolean): string {
  if (ascii) return width === 2 ? wideInAscii : asciiOf(text);
  return drawable.test(text) && !unseen.test(text) ? text : replacement;
}

/** How many cells what was made above covers. */
export function drawnWidth(drawn: string): 1 | 2 {
  if (drawn.length === 1) return drawn >= firstOfWide ? 2 : 1;
  return drawn === wideInAscii || drawn.startsWith(blankTwo) ? 2 : 1;
}
