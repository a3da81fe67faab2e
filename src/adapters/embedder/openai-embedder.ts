import type { Embedder } from "../../ports/embedder.ts";
import { httpFetch } from "../model/http-fetch.ts";
import { withoutSecret } from "../model/without-secret.ts";
import { endingWithin } from "../web/ending-within.ts";
import { batchesOf } from "./batches.ts";
import { aborted, unavailable } from "./embedder-errors.ts";
import { readVectors } from "./openai-answer.ts";
import { errorOfAnswer, errorOfConnection } from "./openai-errors.ts";
import { textsOnly } from "./texts-only.ts";

/** Any server that speaks OpenAI's `/embeddings`: one request after the other. */

export type OpenAiEmbedderOptions = {
  readonly baseUrl: string;
  readonly model: string;
  readonly dimensions: number;
  /** Asks the server for vectors of that length; only models that can shorten theirs take it. */
  readonly shorten?: boolean;
  /** Absent: none is sent. */
  readonly apiKey?: string | undefined;
  /** For one request, from the first byte to the last. */
  readonly timeoutMs?: number;
  /** Texts in one request, at most. */
  readonly batch?: number;
  /** Of one text; the rest of it does not count. */
  readonly mostChars?: number;
  /** Stand before each text, for models that want to be told which it is. */
  readonly prefixes?: { readonly document: string; readonly query: string };
};

const mostCharsTogether = 100_000;

const usual = {
  shorten: false,
  timeoutMs: 30_000,
  batch: 32,
  mostChars: 8_000,
  prefixes: { document: "", query: "" },
};

type Settings = Required<Omit<OpenAiEmbedderOptions, "apiKey">> &
  Pick<OpenAiEmbedderOptions, "apiKey">;

export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const settings: Settings = { ...usual, ...options };
  const closing = new AbortController();

  const embedBatch = async (texts: readonly string[], signal: AbortSignal) => {
    const either = AbortSignal.any([signal, closing.signal]);
    const ending = endingWithin(either, settings.timeoutMs);
    try {
      return await post(settings, texts, ending.signal);
    } catch (thrown) {
      if (signal.aborted) throw aborted();
      if (closing.signal.aborted) throw closed();
      if (ending.signal.aborted) throw timedOut(settings.timeoutMs);
      throw withoutSecret(errorOfConnection(thrown), settings.apiKey ?? "");
    } finally {
      ending.release();
    }
  };

  return {
    id: idOf(settings),
    dimensions: settings.dimensions,
    weight: 0.6,
    accepts: ["text"],
    async embed(inputs, { for: purpose, signal }) {
      if (signal.aborted) throw aborted();
      if (closing.signal.aborted) throw closed();
      const prefix = settings.prefixes[purpose];
      const texts = textsOnly(inputs).map((text) => prefix + cut(text, settings.mostChars));
      const limits = { mostTexts: settings.batch, mostChars: mostCharsTogether };
      const vectors: Float32Array[] = [];
      for (const batch of batchesOf(texts, limits))
        vectors.push(...(await embedBatch(batch, signal)));
      return vectors;
    },
    close: async () => closing.abort(),
  };
}

/** Other servers may call another model by the same name. */
function idOf({ baseUrl, model, dimensions, prefixes }: Settings): string {
  const before = prefixes.document === "" ? "" : `:${JSON.stringify(prefixes.document)}`;
  return `openai:${new URL(baseUrl).host}:${model}:${dimensions}${before}`;
}

/** Never empty, which servers refuse, and no half of a pair. */
function cut(text: string, mostChars: number): string {
  const short = Buffer.from(text.slice(0, mostChars)).toString();
  return short.trim() === "" ? "-" : short;
}

async function post(
  { baseUrl, apiKey, model, dimensions, shorten }: Settings,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const headers = new Headers({ "content-type": "application/json" });
  if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
  const response = await httpFetch(`${baseUrl.replace(/\/+$/, "")}/embeddings`, {
    method: "POST",
    headers,
    body: JSON.stringify({ model, input: texts, ...(shorten ? { dimensions } : {}) }),
    signal,
  });
  if (!response.ok) throw await errorOfAnswer(response, Date.now());
  return readVectors(response, { texts: texts.length, dimensions });
}

const closed = () => unavailable("The embedder is closed.", { retryable: false });

const timedOut = (ms: number) =>
  unavailable(`The embedder did not answer within ${ms} ms.`, {
    hint: "embeddings.timeout_ms in config/main.yaml says how long it may take.",
  });
