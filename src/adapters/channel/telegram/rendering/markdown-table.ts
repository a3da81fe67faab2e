import type { Tokens } from "marked";
import { displayWidth, fit } from "../../../../text/text-width.ts";
import { inlinePieces } from "./markdown-inline.ts";
import { joinPieces, type Look, type Piece, piece, textOf } from "./styled-text.ts";

/** A wider one would be broken in the middle of its rows on a phone. */
const widestTable = 48;
const longestName = 40;

/** A table of columns, if it is narrow and holds no links; otherwise a list of its rows. */
export function tablePieces({ header, rows, align }: Tokens.Table, look: Look): Piece[] {
  const names = header.map((cell) => cellText(cell));
  const cells = rows.map((row) => row.map((cell) => inlinePieces(cell.tokens, look)));
  const texts = cells.map((row) => row.map(oneLine));
  const widths = names.map((name, column) => Math.max(displayWidth(name), widestOf(texts, column)));
  const total = widths.reduce((sum, width) => sum + width + between.length, -between.length);
  const hasLinks = cells.some((row) => row.some((cell) => cell.some(({ look: { link } }) => link)));
  if (total > widestTable || hasLinks) return records(names, cells, look);
  const line = (row: readonly string[]) => tableLine(row, widths, align);
  const rule = widths.map((width) => "─".repeat(width)).join("─┼─");
  return [piece([line(names), rule, ...texts.map(line)].join("\n"), { ...look, block: "" })];
}

const between = " │ ";

function widestOf(rows: readonly (readonly string[])[], column: number): number {
  return rows.reduce((most, row) => Math.max(most, displayWidth(row[column] ?? "")), 0);
}

function cellText({ tokens }: Tokens.TableCell): string {
  return oneLine(inlinePieces(tokens, {}));
}

function oneLine(pieces: readonly Piece[]): string {
  return textOf(pieces).replaceAll("\n", " ").trim();
}

function tableLine(
  row: readonly string[],
  widths: readonly number[],
  align: Tokens.Table["align"],
): string {
  const padded = widths.map((width, column) => {
    const text = row[column] ?? "";
    const blank = " ".repeat(Math.max(0, width - displayWidth(text)));
    return align[column] === "right" ? blank + text : text + blank;
  });
  return padded.join(between).trimEnd();
}

/** A row's first cell, then its others by the names of their columns. */
function records(names: readonly string[], rows: readonly Piece[][][], look: Look): Piece[] {
  const shown = rows.map((row) => {
    const cells = row.map((cell, column) =>
      field(cell, { name: names[column] ?? "", column, look }),
    );
    return joinPieces(cells, piece("\n", look));
  });
  return joinPieces(shown, piece("\n\n", look));
}

type Field = { readonly name: string; readonly column: number; readonly look: Look };

function field(cell: readonly Piece[], { name, column, look }: Field): Piece[] {
  if (oneLine(cell) === "") return [];
  if (column === 0) return cell.map(({ text, look: of }) => piece(text, { ...of, bold: true }));
  const label = name === "" ? "• " : `• ${fit(name, longestName)}: `;
  return [piece(label, look), ...cell];
}
