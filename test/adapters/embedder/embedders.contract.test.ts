import { createBuiltinEmbedder } from "../../../src/adapters/embedder/builtin-embedder.ts";
import {
  createFakeEmbedder,
  spellingVector,
} from "../../../src/adapters/embedder/fake-embedder.ts";
import { createOpenAiEmbedder } from "../../../src/adapters/embedder/openai-embedder.ts";
import { withQueryCache } from "../../../src/adapters/embedder/query-cache.ts";
import type { Embedder } from "../../../src/ports/embedder.ts";
import { describeEmbedderContract } from "../../contracts/embedder.contract.ts";
import { startEmbeddingServer } from "../../support/embedding-server.ts";

const alone = (create: () => Embedder) => async () => {
  const embedder = create();
  return { embedder, close: () => embedder.close() };
};

describeEmbedderContract("built in", alone(createBuiltinEmbedder));
describeEmbedderContract("for tests", alone(createFakeEmbedder));
describeEmbedderContract(
  "with kept questions",
  alone(() => withQueryCache(createFakeEmbedder())),
);
describeEmbedderContract("over the OpenAI protocol", async () => {
  const server = await startEmbeddingServer((text) => [...spellingVector(text)]);
  const embedder = createOpenAiEmbedder({
    baseUrl: server.url,
    model: "spelling",
    dimensions: 64,
    apiKey: "sk-contract",
  });
  return {
    embedder,
    close: async () => {
      await embedder.close();
      await server.close();
    },
  };
});
