import { chanceVector } from "./made-memories.ts";

/** What a search costs that knows nothing but vectors, all of them in one Float32Array. */

export function chanceVectors(count: number, dimensions: number): Float32Array {
  const all = new Float32Array(count * dimensions);
  for (let at = 0; at < count; at += 1)
    all.set(chanceVector(`v${at}`, dimensions), at * dimensions);
  return all;
}

/** The places of the `limit` nearest. */
export function plainScan(all: Float32Array, asked: Float32Array, limit: number): number[] {
  const dimensions = asked.length;
  const best: { readonly place: number; readonly score: number }[] = [];
  for (let place = 0; place * dimensions < all.length; place += 1) {
    let score = 0;
    const from = place * dimensions;
    for (let at = 0; at < dimensions; at += 1) score += (all[from + at] ?? 0) * (asked[at] ?? 0);
    if (best.length === limit && score <= (best.at(-1)?.score ?? 0)) continue;
    best.push({ place, score });
    best.sort((one, other) => other.score - one.score);
    best.length = Math.min(best.length, limit);
  }
  return best.map(({ place }) => place);
}
