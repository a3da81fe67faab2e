const longestCompared = 64;

/** The candidate that differs least from `word`, if it differs little enough to be a typing error. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longestCompared) return undefined;
  const allowed = Math.max(1, Math.floor(word.length / 3));
  const ranked = candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= allowed)
    .map((candidate) => ({
      candidate,
      distance: editDistance(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter((entry) => entry.distance <= allowed)
    .toSorted((left, right) => left.distance - right.distance);
  return ranked[0]?.candidate;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      current.push(cellCost({ from, to, row, column, current, previous, beforePrevious }));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}

type Cell = {
  readonly from: string;
  readonly to: string;
  readonly row: number;
  readonly column: number;
  readonly current: readonly number[];
  readonly previous: readonly number[];
  readonly beforePrevious: readonly number[];
};

function cellCost(cell: Cell): number {
  const { from, to, row, column } = cell;
  const isSame = from[row - 1] === to[column - 1];
  const replaced = at(cell.previous, column - 1) + (isSame ? 0 : 1);
  const inserted = at(cell.current, column - 1) + 1;
  const deleted = at(cell.previous, column) + 1;
  const isSwap =
    row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
  const swapped = isSwap ? at(cell.beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY;
  return Math.min(replaced, inserted, deleted, swapped);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
