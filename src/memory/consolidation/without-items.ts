import { editLines } from "./edit-lines.ts";
import type { Item } from "./material.ts";

/** @param day of a daily file, which goes when nothing but its heading is left   @returns null: the file goes */
export function withoutItems(
  text: string,
  items: readonly Item[],
  day: string | null,
): string | null {
  if (items.length === 0) return text;
  const left = editLines(text, items.map(removing));
  const isEmpty = day !== null && ["", `# ${day}`].includes(left.trim());
  return isEmpty ? null : left;
}

export function removing({ line_start: line, line_end }: Item) {
  return { line, remove: line_end - line + 1, insert: [] };
}
