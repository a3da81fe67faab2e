import { displayWidth } from "../../text/text-width.ts";
import type { Line, Span, Style } from "./frame.ts";
import { fitLine, span } from "./line.ts";
import { own, padded, repeated, type SafeText } from "./safe-text.ts";

export type Column<T> = {
  readonly title: SafeText;
  /** In cells; `rest`: shares what is left with the others that say so. */
  readonly width: number | "rest";
  readonly align?: "right";
  /** Left out where the table is narrower. */
  readonly from?: number;
  readonly cell: (row: T) => Span;
};

export type Table<T> = { readonly head: Line; line(row: T): Line };

const gap = own` `;
const headStyle: Style = { fg: "grey", bold: true };

/** Columns that fit the width, one cell apart. */
export function layTable<T>(columns: readonly Column<T>[], width: number): Table<T> {
  const shown = columns.filter(({ from = 0 }) => width >= from);
  const widths = widthsOf(shown, width);
  const row = (cells: (column: Column<T>) => Span): Line =>
    shown.flatMap((column, index) => {
      const cell = cells(column);
      const text = aligned(cell.text, widths[index] ?? 0, column.align);
      return [{ ...cell, text }, span(gap)];
    });
  return {
    head: fitLine(
      row(({ title }) => span(title, headStyle)),
      width,
    ),
    line: (given) => row(({ cell }) => cell(given)),
  };
}

function widthsOf<T>(columns: readonly Column<T>[], width: number): number[] {
  const fixed = columns.reduce(
    (sum, column) => sum + (column.width === "rest" ? 0 : column.width),
    0,
  );
  const sharers = columns.filter((column) => column.width === "rest").length;
  const left = Math.max(0, width - fixed - columns.length);
  const share = Math.max(4, Math.floor(left / Math.max(1, sharers)));
  return columns.map((column) => (column.width === "rest" ? share : column.width));
}

function aligned(text: SafeText, width: number, align: "right" | undefined): SafeText {
  const missing = width - displayWidth(text);
  if (align !== "right" || missing <= 0) return padded(text, width);
  return own`${repeated(gap, missing)}${text}`;
}
