import type { Embedder } from "../../ports/embedder.ts";
import { aborted } from "./embedder-errors.ts";

type EmbedOptions = Parameters<Embedder["embed"]>[1];

const mostQueries = 256;
const mostChars = 4_096;

/** Keeps the vectors of the questions that were asked last: within a run the same one is asked again and again. Documents are
 *  not kept; the index keeps theirs. */
export function withQueryCache(embedder: Embedder): Embedder {
  const kept = new Map<string, Float32Array>();
  /** Those who search in several ways ask the same at the same time. */
  const underWay = new Map<string, Promise<Float32Array | undefined>>();

  const keep = (text: string, vector: Float32Array | undefined) => {
    if (vector === undefined) return;
    kept.delete(text);
    kept.set(text, vector);
    const [oldest] = kept.keys();
    if (kept.size > mostQueries && oldest !== undefined) kept.delete(oldest);
  };

  const ask = async (text: string, options: EmbedOptions) => {
    const [vector] = await embedder.embed([{ type: "text", text }], options);
    keep(text, vector);
    return vector;
  };

  const begin = (text: string, options: EmbedOptions) => {
    const asking = ask(text, options).finally(() => underWay.delete(text));
    underWay.set(text, asking);
    return asking;
  };

  const vectorOf = async (text: string, options: EmbedOptions) => {
    const known = options.signal.aborted ? undefined : kept.get(text);
    keep(text, known);
    if (known !== undefined) return known;
    const asked = underWay.get(text);
    if (asked === undefined) return begin(text, options);
    // Whoever asked first may have given up.
    return Promise.race([asked, untilAborted(options.signal)]).catch(() => ask(text, options));
  };

  return {
    ...embedder,
    async embed(inputs, options) {
      const [only, ...others] = inputs;
      const isKept = options.for === "query" && others.length === 0 && only?.type === "text";
      if (!isKept || only.text.length > mostChars) return embedder.embed(inputs, options);
      const vector = await vectorOf(only.text, options);
      return vector === undefined ? [] : [vector.slice()];
    },
    async close() {
      kept.clear();
      await embedder.close();
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(aborted()), { once: true });
  });
}
