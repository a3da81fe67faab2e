import { cleanText } from "../../text/clean-text.ts";

/** One record as RFC 4180 has it, without its line end. Cells hold what models and files say: control characters are escaped, and
 *  what a spreadsheet would take for a formula begins with an apostrophe. */
export function csvLine(cells: readonly unknown[]): string {
  return cells.map(cellOf).join(",");
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const clean = cleanText(text, { multiline: false });
  const safe = typeof value === "string" && /^[=+\-@]/.test(clean) ? `'${clean}` : clean;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
