import type { BlessedRow, Widgets } from "blessed";
import { cellsOf } from "../../text/cells.ts";
import { isPlain } from "../../text/text-width.ts";
import type { Line, Size, Span } from "../frame/frame.ts";
import { attributeOf } from "./attributes.ts";
import { blessedScreen, Sink } from "./blessed-screen.ts";
import { drawnCell } from "./drawn-cell.ts";

/** The picture as blessed's cells, without any of its widgets: blessed finds out which of them differ from what is shown. */

export type CanvasOptions = { readonly colours: boolean; readonly ascii: boolean };

const blankCell = " ";
const unknown = "";
const pairOrMark = /[\u{10000}-\u{10ffff}\p{M}\u1160-\u11ff\ud7b0-\ud7fb]/u;

export class CellCanvas {
  private readonly sink: Sink;
  private readonly screen: Widgets.Screen;
  private readonly options: CanvasOptions;
  private shown: readonly Line[] = [];

  constructor(size: Size, options: CanvasOptions) {
    this.options = options;
    this.sink = new Sink(size);
    this.screen = blessedScreen(this.sink);
    this.sink.take();
  }

  size(): Size {
    return { columns: this.sink.columns, rows: this.sink.rows };
  }

  /** From now on the terminal is blank, and of this size. */
  reset({ columns, rows }: Size): void {
    Object.assign(this.sink, { columns, rows });
    Object.assign(this.screen.program, { cols: columns, rows });
    this.screen.alloc();
    this.screen.program.flush();
    this.sink.take();
    this.shown = [];
  }

  /** @returns what the terminal is to be sent for these rows to be shown; nothing if they are */
  draw(lines: readonly Line[]): string {
    for (const [at, row] of this.screen.lines.entries()) {
      const line = lines[at] ?? [];
      if (this.isSame(line, this.shown[at])) continue;
      this.fill(row, line);
      if (line.some(isDoubtful)) for (const cell of this.screen.olines[at] ?? []) cell[1] = unknown;
      row.dirty = true;
    }
    this.shown = lines;
    this.screen.draw(0, this.screen.lines.length - 1);
    this.screen.program.flush();
    return this.sink.take();
  }

  close(): void {
    this.screen.destroy();
  }

  private fill(row: BlessedRow, line: Line): void {
    let column = 0;
    for (const { text, style } of line) {
      const attribute = attributeOf(style, this.options.colours);
      if (isPlain(text)) {
        column = fillPlain(row, column, { attribute, text });
        continue;
      }
      for (const cell of cellsOf(text)) {
        const end = column + cell.width;
        if (end > row.length) return this.clear(row, column);
        set(row[column], attribute, drawnCell(cell, column, this.options.ascii));
        if (cell.width === 2) set(row[column + 1], attribute, blankCell);
        column = end;
      }
    }
    this.clear(row, column);
  }

  private clear(row: BlessedRow, from: number): void {
    const plain = attributeOf(undefined, this.options.colours);
    for (let column = from; column < row.length; column++) set(row[column], plain, blankCell);
  }

  private isSame(line: Line = [], shown: Line = []): boolean {
    if (line === shown) return true;
    if (line.length !== shown.length) return false;
    const { colours } = this.options;
    return line.every(({ text, style }, at) => {
      const before = shown[at];
      if (text !== before?.text) return false;
      return (
        style === before.style || attributeOf(style, colours) === attributeOf(before.style, colours)
      );
    });
  }
}

/** A terminal may draw it over the cell beside it, which is right again once the row is drawn to its end. */
function isDoubtful({ text }: Span): boolean {
  return pairOrMark.test(text);
}

/** @returns the column behind it */
function fillPlain(
  row: BlessedRow,
  column: number,
  { attribute, text }: { readonly attribute: number; readonly text: string },
): number {
  const end = Math.min(row.length, column + text.length);
  for (let at = column; at < end; at += 1) set(row[at], attribute, text[at - column] ?? blankCell);
  return end;
}

function set(cell: BlessedRow[number] | undefined, attribute: number, character: string): void {
  if (cell === undefined) return;
  cell[0] = attribute;
  cell[1] = character;
}
