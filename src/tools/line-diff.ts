/** What one replacement did to a text, as people know it from diffs: ` ` kept, `-` gone, `+` new. */

const contextLines = 3;
const maxLines = 80;
const maxLineCharacters = 200;

function shortened(line: string): string {
  return line.length <= maxLineCharacters ? line : `${line.slice(0, maxLineCharacters)}…`;
}

function linesOf(text: string): readonly string[] {
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  const most = Math.min(left.length, right.length);
  let count = 0;
  while (count < most && left[count] === right[count]) count += 1;
  return count;
}

/** Begins with the number of the first line shown; only the lines between the first and the last change are there. */
export function lineDiff(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  const same = commonStart(old, now);
  const tail = commonStart(old.slice(same).toReversed(), now.slice(same).toReversed());
  const first = Math.max(0, same - contextLines);
  const lines = [
    ...old.slice(first, same).map((line) => ` ${line}`),
    ...old.slice(same, old.length - tail).map((line) => `-${line}`),
    ...now.slice(same, now.length - tail).map((line) => `+${line}`),
    ...old
      .slice(old.length - tail)
      .slice(0, contextLines)
      .map((line) => ` ${line}`),
  ].map(shortened);
  const rest = lines.length - maxLines;
  const shown = rest <= 0 ? lines : [...lines.slice(0, maxLines), `[${rest} more lines]`];
  return [`From line ${first + 1}:`, ...shown].join("\n");
}
