/** Matching without regular expressions and without backtracking: the pieces between wildcards are placed leftmost, one
 *  after the other, so the work is bounded by pattern length times text length, whatever a stranger writes. */

function matchesName(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  const end = name.length - last.length;
  if (first.length > end || !name.startsWith(first) || !name.endsWith(last)) return false;
  let cursor = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, cursor);
    if (found < 0 || found + piece.length > end) return false;
    cursor = found + piece.length;
  }
  return true;
}

function runsBetweenDoubleStars(pattern: readonly string[]): string[][] {
  const runs: string[][] = [[]];
  for (const segment of pattern) {
    if (segment === "**") runs.push([]);
    else runs.at(-1)?.push(segment);
  }
  return runs;
}

function standsAt(run: readonly string[], path: readonly string[], start: number): boolean {
  return run.every((pattern, index) => {
    const name = path[start + index];
    return name !== undefined && matchesName(pattern, name);
  });
}

function endOfFirst(
  run: readonly string[],
  path: readonly string[],
  from: number,
): number | undefined {
  for (let start = from; start + run.length <= path.length; start += 1) {
    if (standsAt(run, path, start)) return start + run.length;
  }
  return undefined;
}

/** `*` stands for any characters of one segment, a segment `**` for any number of segments, none included. */
export function matchesSegments(pattern: readonly string[], path: readonly string[]): boolean {
  const [first = [], ...rest] = runsBetweenDoubleStars(pattern);
  const last = rest.pop();
  if (last === undefined) return first.length === path.length && standsAt(first, path, 0);
  const end = path.length - last.length;
  if (first.length > end || !standsAt(first, path, 0) || !standsAt(last, path, end)) return false;
  const middle = path.slice(0, end);
  let cursor = first.length;
  for (const run of rest) {
    const after = endOfFirst(run, middle, cursor);
    if (after === undefined) return false;
    cursor = after;
  }
  return true;
}

/** Whether each path that matches `narrow` matches `wide` too. A yes is certain: only a `**` covers a `**`, and of two names with
 *  wildcards only equal ones are taken to cover each other. */
export function coversSegments(wide: readonly string[], narrow: readonly string[]): boolean {
  let below = [...narrow.map(() => false), true];
  for (const segment of wide.toReversed()) {
    const covered = below.map(() => false);
    for (let at = narrow.length; at >= 0; at -= 1) {
      const inner = narrow[at];
      covered[at] =
        segment === "**"
          ? below[at] === true || covered[at + 1] === true
          : inner !== undefined && coversName(segment, inner) && below[at + 1] === true;
    }
    below = covered;
  }
  return below[0] === true;
}

function coversName(wide: string, narrow: string): boolean {
  if (narrow === "**") return false;
  if (wide === "*" || wide === narrow) return true;
  return !narrow.includes("*") && matchesName(wide, narrow);
}
