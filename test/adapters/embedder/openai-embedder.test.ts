import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { spellingVector } from "../../../src/adapters/embedder/fake-embedder.ts";
import {
  createOpenAiEmbedder,
  type OpenAiEmbedderOptions,
} from "../../../src/adapters/embedder/openai-embedder.ts";
import type { AgentError } from "../../../src/schema/errors.ts";
import {
  type EmbeddingReply,
  type EmbeddingServer,
  startEmbeddingServer,
} from "../../support/embedding-server.ts";

const key = "sk-test-0123456789";
let server: EmbeddingServer;
beforeEach(async () => {
  server = await startEmbeddingServer((text) => [...spellingVector(text, 8)]);
});
afterEach(() => server.close());

function embedderWith(options: Partial<OpenAiEmbedderOptions> = {}) {
  return createOpenAiEmbedder({
    baseUrl: server.url,
    model: "m1",
    dimensions: 8,
    apiKey: key,
    ...options,
  });
}

function embed(
  texts: readonly string[],
  options: Partial<OpenAiEmbedderOptions> = {},
  purpose: "document" | "query" = "document",
) {
  const inputs = texts.map((text) => ({ type: "text" as const, text }));
  const signal = new AbortController().signal;
  return embedderWith(options).embed(inputs, { for: purpose, signal });
}

async function failureOf(reply: EmbeddingReply, texts = ["a"]): Promise<AgentError> {
  server.next(reply);
  return embed(texts).then(
    () => expect.unreachable("it answered"),
    (error: AgentError) => error,
  );
}

const vectors = (...embeddings: readonly unknown[]) => ({
  data: embeddings.map((embedding, index) => ({ index, embedding })),
});
const unit = [1, 0, 0, 0, 0, 0, 0, 0];

describe("the embedder of OpenAI's protocol", () => {
  it("asks for the model and the texts, with the key", async () => {
    await embed(["one", "two"]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      url: "/v1/embeddings",
      headers: { "authorization": `Bearer ${key}`, "content-type": "application/json" },
      body: { model: "m1", input: ["one", "two"] },
    });
    expect(server.requests[0]?.body).not.toHaveProperty("dimensions");
  });

  it("sends no key where there is none, asks to shorten where that is wanted, and marks questions", async () => {
    const options = {
      apiKey: undefined,
      shorten: true,
      prefixes: { document: "d: ", query: "q: " },
    };
    await embed(["one"], options);
    await embed(["two"], options, "query");
    expect(server.requests.map(({ body }) => body)).toEqual([
      { model: "m1", input: ["d: one"], dimensions: 8 },
      { model: "m1", input: ["q: two"], dimensions: 8 },
    ]);
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it("parts many texts by number and by length, and cuts one that is too long", async () => {
    await embed(
      Array.from({ length: 5 }, (_, n) => `t${n}`),
      { batch: 2 },
    );
    expect(server.requests.map(({ body }) => body.input.length)).toEqual([2, 2, 1]);
    await embed(["x".repeat(60_000), "y".repeat(60_000), "z"], { mostChars: 60_000 });
    expect(server.requests.slice(3).map(({ body }) => body.input.length)).toEqual([1, 2]);
    await embed(["abcdef"], { mostChars: 3 });
    expect(server.requests.at(-1)?.body.input).toEqual(["abc"]);
  });

  it("takes vectors in any order, and makes each of length 1", async () => {
    const data = [
      { index: 1, embedding: [0, 3, 0, 0, 0, 0, 0, 4] },
      { index: 0, embedding: [2, 0, 0, 0, 0, 0, 0, 0] },
    ];
    server.next({ body: { data } });
    const [first, second] = await embed(["a", "b"]);
    expect([...(first ?? [])]).toEqual(unit);
    expect(second?.[7]).toBeCloseTo(0.8, 6);
  });

  it.each<[string, EmbeddingReply, string]>([
    ["fewer vectors than texts", { body: vectors(unit) }, "1 vectors, not one for each of 2 texts"],
    ["more vectors than texts", { body: vectors(unit, unit, unit) }, "3 vectors, not one"],
    [
      "two vectors for one text",
      { body: { data: [0, 0].map((index) => ({ index, embedding: unit })) } },
      "2 vectors, not one for each",
    ],
    ["a shorter vector", { body: vectors(unit, [1, 2]) }, "has 2 numbers where 8 were expected"],
    ["zeros", { body: vectors(unit, Array(8).fill(0)) }, "is all zeros"],
    ["a number that is none", { body: vectors(unit, [null, ...unit.slice(1)]) }, "no list of"],
    [
      "an endless number",
      { body: JSON.stringify(vectors(unit, unit)).replace("1,", "1e999,") },
      "",
    ],
    ["a number beyond all lengths", { body: vectors(unit, Array(8).fill(1e300)) }, "no finite"],
    ["no list", { body: { data: "none" } }, "no list of vectors"],
    ["a page", { body: "<html>hello</html>" }, "something that is not JSON"],
    ["nothing", { body: "" }, "something that is not JSON"],
    ["megabytes", { body: `"${"x".repeat(1_100_000)}"` }, "longer than"],
  ])("does not believe an answer with %s", async (_, reply, words) => {
    const error = await failureOf(reply, ["a", "b"]);
    expect(error).toMatchObject({
      name: "AgentError",
      code: "embedder.bad_response",
      retryable: false,
    });
    expect(error.message).toContain(words);
  });

  it.each<[number, string, boolean]>([
    [400, "embedder.refused", false],
    [401, "embedder.refused", false],
    [403, "embedder.refused", false],
    [404, "embedder.refused", false],
    [302, "embedder.refused", false],
    [408, "embedder.unavailable", true],
    [429, "embedder.unavailable", true],
    [500, "embedder.unavailable", true],
    [503, "embedder.unavailable", true],
  ])("takes the status %i as %s", async (status, code, retryable) => {
    const body = { error: { message: `no, ${key} is nobody's` } };
    const error = await failureOf({ status, body, headers: { "retry-after": "7" } });
    expect(error).toMatchObject({ name: "AgentError", code, retryable, details: { status } });
    expect(error.retryAfterMs).toBe(retryable ? 7_000 : undefined);
    expect(error.message).toBe(`The embedder answered ${status}: no, [api key] is nobody's`);
    expect(JSON.stringify(error.toData())).not.toContain(key);
  });

  it.each<[string, EmbeddingReply]>([
    ["is reset at once", { reset: true }],
    ["is reset in the middle of the answer", { cut: true, body: vectors(unit) }],
  ])("may be asked again when the connection %s", async (_, reply) => {
    expect(await failureOf(reply)).toMatchObject({
      code: "embedder.unavailable",
      retryable: true,
    });
  });

  it("may be asked again when nobody listens", async () => {
    await server.close();
    await expect(embed(["a"])).rejects.toMatchObject({
      code: "embedder.unavailable",
      retryable: true,
      message: "The embedder could not be reached: ECONNREFUSED.",
    });
  });

  it("waits no longer than it may", async () => {
    server.next({ hang: true });
    await expect(embed(["a"], { timeoutMs: 30 })).rejects.toMatchObject({
      code: "embedder.unavailable",
      retryable: true,
      message: "The embedder did not answer within 30 ms.",
    });
  });

  it("stops waiting when it is told to, or closed", async () => {
    server.next({ hang: true });
    server.next({ hang: true });
    const stop = new AbortController();
    const embedder = embedderWith();
    const inputs = [{ type: "text" as const, text: "a" }];
    const stopped = embedder.embed(inputs, { for: "query", signal: stop.signal });
    const closed = embedder.embed(inputs, {
      for: "query",
      signal: new AbortController().signal,
    });
    await server.heard(2);
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: "activity.aborted" });
    await embedder.close();
    await expect(closed).rejects.toMatchObject({ code: "embedder.unavailable", retryable: false });
  });

  it("is another embedder with another server, model, length or prefix", () => {
    const ids = [
      {},
      { baseUrl: "http://elsewhere/v1" },
      { model: "m2" },
      { dimensions: 9 },
      { prefixes: { document: "d", query: "" } },
    ].map((options) => embedderWith(options).id);
    expect(new Set(ids).size).toBe(5);
    expect(embedderWith({ prefixes: { document: "", query: "q" } }).id).toBe(ids[0]);
  });
});
