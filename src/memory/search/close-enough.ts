import type { MemoryHit } from "../../schema/memory.ts";

/** Of what shares no word with the question only much likeness counts: something is always the nearest. Measured with the built-in
 *  embedder, 99 of 100 texts that have nothing to do with a question score less (docs/performance.md). */
const leastScore = 0.2;

/** @param hits of one search, scored with `tuned` or `classic` */
export function closeEnough(hits: readonly MemoryHit[]): MemoryHit[] {
  return hits.filter(({ score }) => score >= leastScore);
}
