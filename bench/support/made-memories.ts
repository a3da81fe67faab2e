import type { Embedder } from "../../src/ports/embedder.ts";
import type { MemoryDocument } from "../../src/schema/memory.ts";

/** Memories without a meaning, as many as are wanted and always the same: words by their rank, as in a language, in files of fifty. */

const chunksInAFile = 50;
const wordsInAChunk = 16;
const vocabulary = 20_000;

/** From 0 to 1, by xorshift. */
export function numbersFrom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Rare words are many, frequent ones few. */
function word(random: () => number): string {
  const rank = Math.floor(vocabulary ** random());
  return `w${rank.toString(36)}`;
}

export function words(count: number, random: () => number): string {
  return Array.from({ length: count }, () => word(random)).join(" ");
}

export function* madeDocuments(partition: string, chunks: number): Generator<MemoryDocument> {
  const random = numbersFrom(partition.length * 7_919);
  for (let first = 0; first < chunks; first += chunksInAFile) {
    const length = Math.min(chunksInAFile, chunks - first);
    yield {
      path: `${partition}/${first}.md`,
      partition,
      kind: "memory",
      version: "1",
      chunks: Array.from({ length }, (_, at) => ({
        text: `${words(wordsInAChunk, random)} n${first + at}`,
        heading: `2025-01-${1 + (first % 28)}`,
        line_start: at + 1,
        line_end: at + 1,
        origins: [],
      })),
    };
  }
}

/** A direction for each text, by chance; costs next to nothing. */
export function createChanceEmbedder(dimensions: number): Embedder {
  return {
    id: `chance:${dimensions}`,
    dimensions,
    weight: 0.4,
    accepts: ["text"],
    embed: async (inputs) =>
      inputs.map((input) => chanceVector(input.type === "text" ? input.text : "", dimensions)),
    close: async () => {},
  };
}

export function chanceVector(text: string, dimensions: number): Float32Array {
  let seed = 17;
  for (let at = 0; at < text.length; at += 1) seed = (seed * 31 + text.charCodeAt(at)) | 0;
  const random = numbersFrom(seed);
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
