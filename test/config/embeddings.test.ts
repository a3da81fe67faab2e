import { describe, expect, it } from "vitest";
import { openEmbedder } from "../../src/app/memory/open-embedder.ts";
import { homeWith, linesOf, loadedFrom } from "./homes.ts";

const homeOf = (embeddings: string) =>
  homeWith({ "config/main.yaml": `embeddings: { ${embeddings} }\n` });

describe("who makes the vectors", () => {
  it("has to say how long they are, unless the model is known for it", () => {
    expect(linesOf(homeOf("provider: openai, model: nomic-embed-text"))).toEqual([
      "config/main.yaml:1:13 embeddings.dimensions: is missing, and how long the vectors of nomic-embed-text are is not known here",
    ]);
    expect(linesOf(homeOf("provider: openai"))).toEqual([]);
    expect(linesOf(homeOf("provider: builtin, model: nomic-embed-text"))).toEqual([]);
  });

  it("keeps its key out of everything that is shown of the configuration", () => {
    const loaded = loadedFrom(homeOf("provider: openai, api_key: env:EMBEDDING_KEY"), {
      EMBEDDING_KEY: "sk-0123456789",
    });
    expect(loaded.secrets().embeddingKey).toBe("sk-0123456789");
    expect(loaded.secrets().values).toContain("sk-0123456789");
    expect(JSON.stringify([loaded.config, loaded.settings()])).not.toContain("sk-0123456789");
  });

  it.each([
    ["provider: openai", "openai:api.openai.com:text-embedding-3-small:1536"],
    [
      "provider: openai, model: text-embedding-3-large, dimensions: 256, shorten: true",
      "openai:api.openai.com:text-embedding-3-large:256",
    ],
    [
      'provider: openai, base_url: "http://127.0.0.1:11434/v1", model: nomic, dimensions: 768, document_prefix: "d: "',
      'openai:127.0.0.1:11434:nomic:768:"d: "',
    ],
    ["provider: builtin", "builtin:use-lite:512"],
    ["provider: none", undefined],
  ])("is, for { %s }, %s", async (embeddings, id) => {
    const { embedder, missing } = openEmbedder(loadedFrom(homeOf(embeddings)));
    expect(embedder?.id).toBe(id);
    expect(missing).toBeNull();
    await embedder?.close();
  });

  it("is nobody where the built-in one is not installed, and that is said", () => {
    const { embedder, missing } = openEmbedder(loadedFrom(homeWith({})), () => false);
    expect(embedder).toBeNull();
    expect(missing).toMatchObject({
      code: "embedder.unavailable",
      message: "The built-in embedder is not installed; memory is searched by words alone.",
      hint: "Install statehive with its optional packages, or set embeddings.provider in config/main.yaml to none or openai.",
    });
  });

  it("is nobody while the key is not set, and that is said", () => {
    const { embedder, missing } = openEmbedder(
      loadedFrom(homeOf("provider: openai, api_key: env:EMBEDDING_KEY")),
    );
    expect(embedder).toBeNull();
    expect(missing).toMatchObject({
      code: "embedder.unavailable",
      message:
        "The key of the embedder, env:EMBEDDING_KEY, is not set; memory is searched by words alone.",
    });
  });
});
