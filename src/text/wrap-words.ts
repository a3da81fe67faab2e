import { displayWidth, wrap } from "./text-width.ts";

/** In lines of at most `width` columns, broken between words; a word that is longer than a line is broken where the line is full.
 *  Spaces at the beginning of the text stay, those at a break go. */
export function wrapWords(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.match(/^\s*\S*|\s+\S*/g) ?? []) {
    const wide = displayWidth(word);
    if (used + wide <= width) {
      line += word;
      used += wide;
      continue;
    }
    if (used > 0) lines.push(line);
    const pieces = wrap(used > 0 ? word.trimStart() : word, width);
    line = pieces.pop() ?? "";
    lines.push(...pieces);
    used = displayWidth(line);
  }
  return [...lines, line];
}
