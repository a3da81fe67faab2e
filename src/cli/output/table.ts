import { displayWidth, fit, wrap } from "../../text/text-width.ts";
import { roomBeside, shown } from "../../text/shown.ts";

export type Column<Row> = { readonly title: string; readonly cell: (row: Row) => unknown };

export type TableOptions = {
  /** Said when there are no rows. */
  readonly empty: string;
  /** Columns of the terminal; undefined: rows may be as long as they are. */
  readonly width?: number | undefined;
};

/** Aligned rows under a line of titles; every cell is cleaned. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { empty, width }: TableOptions,
): string {
  if (rows.length === 0) return empty;
  const titles = columns.map(({ title }) => title);
  const lines = [titles, ...rows.map((row) => columns.map(({ cell }) => shown(cell(row))))];
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => displayWidth(line[index] ?? ""))),
  );
  return lines
    .map((line) => line.map((cell, index) => pad(cell, widths[index] ?? 0)).join("  "))
    .map((line) => (width === undefined ? line.trimEnd() : fit(line.trimEnd(), width)))
    .join("\n");
}

/** `name  value` lines; the rest of a value that is longer than the terminal is wide goes on below it, behind a bar.
 *  @param width columns of the terminal; undefined: lines may be as long as they are */
export function facts(
  rows: readonly (readonly [name: string, value: string])[],
  width?: number,
): string {
  const names = Math.max(...rows.map(([name]) => name.length));
  const beside = " ".repeat(names + 4);
  return rows
    .flatMap(([name, value]) => {
      const [first = "", ...rest] =
        width === undefined ? [value] : wrap(value, roomBeside(`${beside}| `, width));
      return [`  ${name.padEnd(names)}  ${first}`, ...rest.map((more) => `${beside}| ${more}`)];
    })
    .join("\n");
}

function pad(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - displayWidth(cell)));
}
