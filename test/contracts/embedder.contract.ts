import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Embedder, EmbeddingInput } from "../../src/ports/embedder.ts";

/** What every Embedder promises, whoever makes the vectors. */

export type EmbedderSubject = {
  readonly embedder: Embedder;
  close(): Promise<void>;
};

const texts = (...words: readonly string[]): EmbeddingInput[] =>
  words.map((text) => ({ type: "text", text }));

const lengthOf = (vector: Float32Array) => Math.sqrt(likeness(vector, vector));

export function likeness(one: Float32Array | undefined, other: Float32Array | undefined): number {
  if (one === undefined || other === undefined) return Number.NaN;
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

export function describeEmbedderContract(
  name: string,
  start: () => Promise<EmbedderSubject>,
): void {
  describe(`the embedder contract: ${name}`, () => {
    let subject: EmbedderSubject;
    const never = new AbortController().signal;
    const embed = (inputs: readonly EmbeddingInput[], purpose: "document" | "query" = "document") =>
      subject.embedder.embed(inputs, { for: purpose, signal: never });

    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject.close());

    it("says what it is, and how much it is to count", () => {
      const { id, dimensions, weight, accepts } = subject.embedder;
      expect(id).toContain(String(dimensions));
      expect(dimensions).toBeGreaterThan(0);
      expect(weight).toBeGreaterThan(0);
      expect(weight).toBeLessThan(1);
      expect(accepts).toContain("text");
    });

    it("makes finite vectors of length 1, as long as it says, in the order of the texts", async () => {
      const words = ["a cat", "a longer sentence about the sea and its ships", "tea"];
      const vectors = await embed(texts(...words));
      expect(vectors).toHaveLength(3);
      for (const [at, vector] of vectors.entries()) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector).toHaveLength(subject.embedder.dimensions);
        expect(lengthOf(vector)).toBeCloseTo(1, 4);
        const [alone] = await embed(texts(words[at] ?? ""));
        expect(likeness(vector, alone)).toBeCloseTo(1, 4);
      }
    });

    it("puts what is alike nearer than what is not", async () => {
      const [asked, near, far] = await embed(
        texts("Where do cats sleep?", "The cats sleep on the sofa.", "Interest rates rose by 2 %."),
      );
      expect(likeness(asked, near)).toBeGreaterThan(likeness(asked, far) + 0.1);
    });

    it("takes more texts than fit into one order", async () => {
      const many = Array.from({ length: 70 }, (_, number) => `the number ${number % 7}`);
      const vectors = await embed(texts(...many));
      expect(vectors).toHaveLength(70);
      expect(likeness(vectors[0], vectors[63])).toBeCloseTo(1, 4);
      expect(likeness(vectors[0], vectors[1])).toBeLessThan(0.999);
    });

    it("takes any text: none, blanks, signs, foreign scripts, halves of pairs, very long ones", async () => {
      const odd = [
        "",
        "   \n\t",
        "\0\u200b",
        "你好，世界",
        "🦀🦀",
        "\ud83e",
        "\ufdfa".repeat(5_000),
      ];
      const vectors = await embed(texts(...odd, "word ".repeat(50_000)));
      expect(vectors).toHaveLength(odd.length + 1);
      for (const vector of vectors) expect(lengthOf(vector)).toBeCloseTo(1, 4);
    });

    it("makes nothing of nothing", async () => {
      expect(await embed([])).toEqual([]);
      expect(await embed([], "query")).toEqual([]);
    });

    it("serves several at once without mixing them", async () => {
      const words = ["harbour", "guitar", "volcano", "bread", "algebra"];
      const together = await Promise.all(
        words.map((word, at) => embed(texts(word), at % 2 === 0 ? "document" : "query")),
      );
      for (const [at, [vector]] of together.entries()) {
        const [alone] = await embed(texts(words[at] ?? ""), at % 2 === 0 ? "document" : "query");
        expect(likeness(vector, alone)).toBeCloseTo(1, 4);
      }
    });

    it("refuses what it does not take", async () => {
      const image: EmbeddingInput = {
        type: "image",
        bytes: new Uint8Array([137, 80, 78, 71]),
        media_type: "image/png",
      };
      if (subject.embedder.accepts.includes("image")) return;
      await expect(embed([...texts("a"), image])).rejects.toMatchObject({
        name: "AgentError",
        code: "embedder.refused",
        retryable: false,
      });
    });

    it("rejects with activity.aborted when it was stopped before or meanwhile, and works on", async () => {
      const call = (signal: AbortSignal) =>
        subject.embedder.embed(texts(...Array.from({ length: 40 }, (_, n) => `stop ${n}`)), {
          for: "document",
          signal,
        });
      await expect(call(AbortSignal.abort())).rejects.toMatchObject({ code: "activity.aborted" });
      const stop = new AbortController();
      const stopped = call(stop.signal);
      stop.abort();
      await expect(stopped).rejects.toMatchObject({ code: "activity.aborted", retryable: false });
      expect(await embed(texts("on"))).toHaveLength(1);
    });

    it("answers nobody once it is closed, and may be closed twice", async () => {
      const other = await start();
      const asked = other.embedder.embed(texts("late"), { for: "query", signal: never });
      const settled = asked.then(
        () => "answered",
        (error: { code?: string }) => error.code,
      );
      await other.embedder.close();
      await other.embedder.close();
      expect(["answered", "embedder.unavailable"]).toContain(await settled);
      await expect(
        other.embedder.embed(texts("later"), { for: "query", signal: never }),
      ).rejects.toMatchObject({ code: "embedder.unavailable" });
      await other.close();
    });
  });
}
