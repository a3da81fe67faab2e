import type { Line, Size, Style } from "./frame.ts";
import { fitLine, span, widthOf } from "./line.ts";
import type { Picture } from "./picture.ts";
import { fitted, own, repeated, type SafeText } from "./safe-text.ts";

export type Boxed = {
  readonly title: SafeText;
  /** At the right end of the upper border: counts, tabs. */
  readonly note?: Line;
  readonly isFocused: boolean;
  readonly size: Size;
};

/** What is left inside a box of this size. */
export function insideOf({ columns, rows }: Size): Size {
  return { columns: Math.max(0, columns - 2), rows: Math.max(0, rows - 2) };
}

/** A border with a title around a picture. */
export function boxed(picture: Picture, { title, note = [], isFocused, size }: Boxed): Picture {
  const { columns: inner, rows } = insideOf(size);
  const edge: Style = { fg: isFocused ? "cyan" : "grey" };
  const upright = span(own`│`, edge);
  const lines: Line[] = [upperEdge({ title, note, inner, edge, isFocused })];
  for (let row = 0; row < rows; row += 1)
    lines.push([upright, ...fitLine(picture.lines[row] ?? [], inner), upright]);
  lines.push([span(own`└${repeated(own`─`, inner)}┘`, edge)]);
  const { cursor } = picture;
  return cursor === undefined ? { lines } : { lines, cursor: { x: cursor.x + 1, y: cursor.y + 1 } };
}

type Edge = {
  readonly title: SafeText;
  readonly note: Line;
  readonly inner: number;
  readonly edge: Style;
  readonly isFocused: boolean;
};

function upperEdge({ title, note, inner, edge, isFocused }: Edge): Line {
  const noteWidth = widthOf(note);
  const hasRoom = noteWidth > 0 && noteWidth + 12 <= inner;
  const right: Line = hasRoom ? [span(own` `), ...note, span(own` ─`, edge)] : [];
  const shownTitle = fitted(title, Math.max(0, inner - 3 - widthOf(right)));
  const named = span(own` ${shownTitle} `, isFocused ? { bold: true } : {});
  const between = Math.max(0, inner - 1 - widthOf([named]) - widthOf(right));
  return [
    span(own`┌─`, edge),
    named,
    span(repeated(own`─`, between), edge),
    ...right,
    span(own`┐`, edge),
  ];
}
