import type { Embedder } from "../../ports/embedder.ts";

const mostQueries = 256;
const mostChars = 4_096;

/** Keeps the vectors of the questions that were asked last: within a run the same one is asked again and again. Documents are
 *  not kept; the index keeps theirs. */
export function withQueryCache(embedder: Embedder): Embedder {
  const kept = new Map<string, Float32Array>();

  const keep = (text: string, vector: Float32Array) => {
    kept.delete(text);
    kept.set(text, vector);
    const [oldest] = kept.keys();
    if (kept.size > mostQueries && oldest !== undefined) kept.delete(oldest);
  };

  return {
    ...embedder,
    async embed(inputs, options) {
      const [only, ...others] = inputs;
      const isKept = options.for === "query" && others.length === 0 && only?.type === "text";
      if (!isKept || only.text.length > mostChars) return embedder.embed(inputs, options);
      const known = options.signal.aborted ? undefined : kept.get(only.text);
      const [vector] = known === undefined ? await embedder.embed(inputs, options) : [known];
      if (vector === undefined) return [];
      keep(only.text, vector);
      return [vector.slice()];
    },
    async close() {
      kept.clear();
      await embedder.close();
    },
  };
}
