import { type Cell, cellsOf } from "./cells.ts";

/** How many columns of a terminal a text takes. */

const isAscii = /^[\u0020-\u007e]*$/;
const widestTab = 8;

/** A character a cell. */
export function isPlain(text: string): boolean {
  return isAscii.test(text);
}

export function displayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  return cellsOf(text).reduce((total, cell) => total + widthOf(cell), 0);
}

/** Cut to `width` columns, with … where something is missing. */
export function fit(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const cell of cellsOf(text)) {
    used += widthOf(cell);
    if (used > width - 1) break;
    kept += cell.source;
  }
  return `${kept}…`;
}

/** In lines of at most `width` columns, broken wherever they are full. */
export function wrap(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const cell of cellsOf(text)) {
    const needed = widthOf(cell);
    if (used + needed > width) {
      lines.push(line);
      [line, used] = ["", 0];
    }
    line += cell.source;
    used += needed;
  }
  return [...lines, line];
}

function widthOf({ text, width }: Cell): number {
  return text === "\t" ? widestTab : width;
}
