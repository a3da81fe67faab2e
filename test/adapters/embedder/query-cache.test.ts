import { expect, it } from "vitest";
import { createFakeEmbedder } from "../../../src/adapters/embedder/fake-embedder.ts";
import { withQueryCache } from "../../../src/adapters/embedder/query-cache.ts";
import type { EmbeddingInput } from "../../../src/ports/embedder.ts";

const signal = new AbortController().signal;
const inputsOf = (text: string): EmbeddingInput[] => [{ type: "text", text }];

function counted() {
  const asked: string[] = [];
  const embedder = withQueryCache(
    createFakeEmbedder({
      onEmbed: (inputs) =>
        void asked.push(...inputs.map((input) => (input.type === "text" ? input.text : ""))),
    }),
  );
  return { asked, embedder };
}

it("makes the vector of a question once, and that of a document each time", async () => {
  const { asked, embedder } = counted();
  const [first] = await embedder.embed(inputsOf("who?"), { for: "query", signal });
  first?.fill(0);
  const [second] = await embedder.embed(inputsOf("who?"), { for: "query", signal });
  expect(second?.some((value) => value !== 0)).toBe(true);
  await embedder.embed(inputsOf("who?"), { for: "document", signal });
  expect(asked).toEqual(["who?", "who?"]);
});

it("makes the vector of a question once for all who ask meanwhile", async () => {
  const { asked, embedder } = counted();
  const ask = () => embedder.embed(inputsOf("who?"), { for: "query", signal });
  const [[first], [second]] = await Promise.all([ask(), ask()]);
  expect(first).toEqual(second);
  expect(first).not.toBe(second);
  expect(asked).toEqual(["who?"]);
});

it("asks for who waits where the one who asked first gives up", async () => {
  const { asked, embedder } = counted();
  const giveUp = new AbortController();
  const first = embedder.embed(inputsOf("who?"), { for: "query", signal: giveUp.signal });
  const second = embedder.embed(inputsOf("who?"), { for: "query", signal });
  giveUp.abort();
  await expect(first).rejects.toMatchObject({ code: "activity.aborted" });
  expect((await second)[0]).toBeDefined();
  expect(asked).toEqual(["who?", "who?"]);
});

it("keeps the last 256 questions that were asked", async () => {
  const { asked, embedder } = counted();
  const ask = (text: string) => embedder.embed(inputsOf(text), { for: "query", signal });
  for (let at = 0; at < 256; at += 1) await ask(`q${at}`);
  await ask("q0");
  await ask("q256");
  await ask("q0");
  await ask("q1");
  expect(asked.slice(256)).toEqual(["q256", "q1"]);
});

it("is stopped like the one that it asks, though the answer is known", async () => {
  const { embedder } = counted();
  await embedder.embed(inputsOf("who?"), { for: "query", signal });
  await expect(
    embedder.embed(inputsOf("who?"), { for: "query", signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({ code: "activity.aborted" });
});
