/** Finds a literal text line by line, without regular expressions, so that no pattern of a stranger takes long. */

const shownBefore = 80;
const maxShownCharacters = 300;

export type LineFound = { readonly line: number; readonly text: string };

/** @returns where in a line it stands, -1 for nowhere; capitals count where the pattern has one */
export function createMatcher(pattern: string): (line: string) => number {
  const folded = pattern.toLowerCase();
  if (folded !== pattern) return (line) => line.indexOf(pattern);
  return (line) => line.toLowerCase().indexOf(folded);
}

/** A long line is shown around what was found. */
function excerpt(line: string, at: number): string {
  if (line.length <= maxShownCharacters) return line;
  const from = Math.max(0, Math.min(at - shownBefore, line.length - maxShownCharacters));
  const to = from + maxShownCharacters;
  return `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
}

/** Every line that holds it, with its number from 1. */
export function linesWith(text: string, find: (line: string) => number): readonly LineFound[] {
  if (find(text) < 0) return [];
  return text.split("\n").flatMap((line, index) => {
    const at = find(line);
    return at < 0 ? [] : [{ line: index + 1, text: excerpt(line.replace(/\r$/, ""), at) }];
  });
}
