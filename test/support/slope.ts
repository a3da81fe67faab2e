/** How fast something grows, from noisy samples: the median of the slopes between all pairs (Theil and Sen), which a few wild samples
 *  do not move. */

export type Sample = { readonly x: number; readonly y: number };

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

export function slopeOf(samples: readonly Sample[]): number {
  return median(
    samples.flatMap((one, at) =>
      samples.slice(at + 1).map((other) => (other.y - one.y) / (other.x - one.x)),
    ),
  );
}
