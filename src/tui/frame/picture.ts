import type { Frame, Line, Place, Size, Span } from "./frame.ts";
import { fitLine, sliceLine, span } from "./line.ts";
import { own, repeated } from "./safe-text.ts";

/** A part of the screen, and parts put together. */

export type Picture = {
  readonly lines: readonly Line[];
  /** From the picture's own corner. */
  readonly cursor?: Place;
};

export type Placed = Place & Size & { readonly picture: Picture };

const space = own` `;

/** Later ones lie over earlier ones. */
export function compose(parts: readonly Placed[], { columns, rows }: Size): Frame {
  const lines: Line[] = [];
  for (let y = 0; y < rows; y += 1) lines.push(composeRow(parts, y, columns));
  return { lines, cursor: cursorOf(parts) };
}

function composeRow(parts: readonly Placed[], y: number, columns: number): Line {
  const here = parts.filter((part) => y >= part.y && y < part.y + part.rows);
  return sideBySide(here, y, columns) ?? overEachOther(here, y, columns);
}

/** Undefined where one lies over another. */
function sideBySide(parts: readonly Placed[], y: number, columns: number): Line | undefined {
  const row: Span[] = [];
  let end = 0;
  for (const part of parts) {
    if (part.x < end || part.x + part.columns > columns) return undefined;
    if (part.x > end) row.push(span(repeated(space, part.x - end)));
    row.push(...fitLine(part.picture.lines[y - part.y] ?? [], part.columns));
    end = part.x + part.columns;
  }
  if (end < columns) row.push(span(repeated(space, columns - end)));
  return row;
}

function overEachOther(parts: readonly Placed[], y: number, columns: number): Line {
  let row: Line = [span(repeated(space, columns))];
  for (const part of parts) {
    const laid = fitLine(part.picture.lines[y - part.y] ?? [], part.columns);
    row =
      part.columns >= columns
        ? laid
        : [
            ...sliceLine(row, 0, part.x),
            ...laid,
            ...sliceLine(row, part.x + part.columns, columns),
          ];
  }
  return row;
}

function cursorOf(parts: readonly Placed[]): Place | null {
  const part = parts.findLast(({ picture }) => picture.cursor !== undefined);
  const cursor = part?.picture.cursor;
  if (part === undefined || cursor === undefined) return null;
  return { x: part.x + cursor.x, y: part.y + cursor.y };
}
