/** Likeness in words and likeness in meaning made into one order. */

export type Candidate = {
  readonly id: number;
  /** BM25, higher is better; 0: none of the words. */
  readonly words: number;
  /** Cosine; null: it has no vector yet. */
  readonly meaning: number | null;
};

export type Fusion = {
  /** Of meaning against words, from 0 to 1. */
  readonly weight: number;
  readonly minScore: number;
  /** Of the best score. */
  readonly relativeCut: number;
  readonly limit: number;
};

export type Ranked = { readonly id: number; readonly score: number };

/** Best first. `weight * cosine + (1 - weight) * bm25 / best bm25`; who has no vector counts as the average of those that have. */
export function fuse(candidates: readonly Candidate[], fusion: Fusion): Ranked[] {
  const { weight } = fusion;
  const bestWords = candidates.reduce((best, each) => Math.max(best, each.words), 0) || 1;
  const unknown = averageMeaning(candidates);
  const ranked = candidates.map(({ id, words, meaning }) => ({
    id,
    score: atMostOne(
      weight * Math.max(0, meaning ?? unknown) + (1 - weight) * (Math.max(0, words) / bestWords),
    ),
  }));
  ranked.sort((one, other) => other.score - one.score || one.id - other.id);
  const least = Math.max(fusion.minScore, fusion.relativeCut * (ranked[0]?.score ?? 0));
  return ranked.filter(({ score }) => score > 0 && score >= least).slice(0, fusion.limit);
}

function averageMeaning(candidates: readonly Candidate[]): number {
  const known = candidates.flatMap(({ meaning }) => (meaning === null ? [] : [meaning]));
  return known.reduce((sum, each) => sum + each, 0) / (known.length || 1);
}

const atMostOne = (score: number) => Math.min(1, score);
