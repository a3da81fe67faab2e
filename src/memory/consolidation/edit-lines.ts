/** Takes lines out of a text and puts lines in, and leaves every other byte as it is. */

export type LineEdit = {
  /** Counted from 1; one more than there are: at the end. */
  readonly line: number;
  /** From that line on. */
  readonly remove: number;
  /** Before what follows; without their ends. */
  readonly insert: readonly string[];
};

/** @param edits of different lines   @returns the text; line ends of what is new are those of the first line */
export function editLines(text: string, edits: readonly LineEdit[]): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const end = lines[0]?.endsWith("\r\n") === true ? "\r\n" : "\n";
  const byLine = edits.toSorted((one, other) => one.line - other.line);
  const parts: string[] = [];
  let next = 0;
  for (const { line, remove, insert } of byLine) {
    parts.push(...lines.slice(next, line - 1), ...insert.map((each) => each + end));
    next = Math.max(next, line - 1) + remove;
  }
  return ended([...parts, ...lines.slice(next)], end).join("");
}

/** Only the last line may lack its end. */
function ended(lines: readonly string[], end: string): string[] {
  return lines.map((line, index) =>
    index === lines.length - 1 || line.endsWith("\n") ? line : line + end,
  );
}
