import type { Embedder, EmbeddingInput } from "../../ports/embedder.ts";
import { aborted, unavailable } from "./embedder-errors.ts";
import { textsOnly } from "./texts-only.ts";
import { toUnitVector } from "./unit-vector.ts";

/** Likeness in spelling: words, and runs of three and four letters, each counted in one of `dimensions` places. No model; the same
 *  text always gets the same vector, and "swimming" is near "swim". */

export type FakeEmbedderOptions = {
  readonly id?: string;
  readonly dimensions?: number;
  readonly weight?: number;
  /** Hears each call before it is answered; what it throws is the answer, and while it waits, so does the caller. */
  readonly onEmbed?: (inputs: readonly EmbeddingInput[]) => Promise<void> | void;
};

export function createFakeEmbedder(options: FakeEmbedderOptions = {}): Embedder {
  const { dimensions = 64, weight = 0.3, onEmbed = () => {} } = options;
  let isClosed = false;
  return {
    id: options.id ?? `fake:hashing:${dimensions}`,
    dimensions,
    weight,
    accepts: ["text"],
    async embed(inputs, { signal }) {
      if (signal.aborted) throw aborted();
      if (isClosed) throw unavailable("The embedder is closed.");
      const texts = textsOnly(inputs);
      if (texts.length === 0) return [];
      await onEmbed(inputs);
      if (signal.aborted) throw aborted();
      return texts.map((text) => spellingVector(text, dimensions));
    },
    async close() {
      isClosed = true;
    },
  };
}

export function spellingVector(text: string, dimensions = 64): Float32Array {
  const counts = new Float64Array(dimensions);
  /** A text without a word has a direction too. */
  counts[0] = 0.01;
  for (const feature of featuresOf(text)) {
    const hash = hashOf(feature);
    const place = hash % dimensions;
    counts[place] = (counts[place] ?? 0) + (hash & 0x10_000 ? 1 : -1);
  }
  return toUnitVector(counts, dimensions);
}

function* featuresOf(text: string): Generator<string> {
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    yield word;
    const marked = `<${word}>`;
    for (const size of [3, 4])
      for (let at = 0; at + size <= marked.length; at += 1) yield marked.slice(at, at + size);
  }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
