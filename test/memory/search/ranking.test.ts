import { describe, expect, it } from "vitest";
import { fuse } from "../../../src/memory/search/fuse.ts";
import { packHits } from "../../../src/memory/search/pack-hits.ts";
import { memorySettings } from "../../../src/memory/settings.ts";
import { estimateTokens } from "../../../src/memory/tokens.ts";
import { searchTerms, wordsOfHeading, wordsOfText } from "../../../src/memory/search/words.ts";
import type { MemoryHit } from "../../../src/schema/memory.ts";

const all = { weight: 0.5, minScore: 0, relativeCut: 0, limit: 10 };

function hit(line: number, text: string, score: number): MemoryHit {
  const place = { path: "a.md", partition: "main/local", kind: "memory" as const, heading: "H" };
  return { ...place, score, text, line_start: line, line_end: line, origins: [`user:${line}`] };
}

describe("the words of a question", () => {
  it("are all that say something, or else all there are", () => {
    expect(searchTerms("When did Anna's dog run?")).toEqual(["anna", "dog", "run"]);
    expect(searchTerms("to be or not to be")).toEqual(["to", "be", "or", "not"]);
    expect(searchTerms('NEAR(a*, "b") -- %_')).toEqual(["near", "b"]);
    expect(searchTerms("… ?!")).toEqual([]);
  });

  it("are pairs of characters in scripts without spaces", () => {
    expect(searchTerms("東京都 go")).toEqual(["東 京", "京 都", "go"]);
    expect(wordsOfText("in 東京")).toBe("in  東 京 ");
  });

  it("are no more than sixty-four, however long it is", () => {
    const text = Array.from({ length: 100_000 }, (_, at) => `w${at}`).join(" ");
    expect(searchTerms(text)).toHaveLength(64);
  });

  it("find a date by the name of its month", () => {
    expect(wordsOfHeading("2026-11-05 > Anna")).toBe("2026-11-05 5 november > Anna");
  });
});

describe("likeness in words and in meaning", () => {
  it("are weighed for every candidate", () => {
    const ranked = fuse(
      [
        { id: 1, words: 10, meaning: 0.2 },
        { id: 2, words: 5, meaning: 0.9 },
        { id: 3, words: 0, meaning: -0.5 },
      ],
      all,
    );
    expect(ranked.map(({ id }) => id)).toEqual([2, 1]);
    expect(ranked[0]?.score).toBeCloseTo(0.7);
    expect(ranked[1]?.score).toBeCloseTo(0.6);
  });

  it("take one without a vector for average", () => {
    const candidates = [
      { id: 1, words: 0, meaning: 0.8 },
      { id: 2, words: 0, meaning: null },
      { id: 3, words: 0, meaning: 0.2 },
    ];
    expect(fuse(candidates, { ...all, weight: 1 }).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it("are cut below the share of the best, below the least score, and at the limit", () => {
    const candidates = [10, 7, 5, 1].map((words, id) => ({ id, words, meaning: null }));
    const kept = (changes: object) =>
      fuse(candidates, { ...all, weight: 0, ...changes }).map(({ id }) => id);
    expect(kept({ relativeCut: 0.6 })).toEqual([0, 1]);
    expect(kept({ minScore: 0.35 })).toEqual([0, 1, 2]);
    expect(kept({ limit: 1 })).toEqual([0]);
  });
});

describe("hits packed for a prompt", () => {
  it("come most relevant first, joined where they touch, within the budget", () => {
    const hits = [
      hit(5, "five", 0.9),
      hit(9, "nine", 0.8),
      hit(6, "six", 0.7),
      hit(4, "four", 0.6),
    ];
    expect(packHits(hits, 1_000).map(({ text }) => text)).toEqual(["four\nfive\nsix", "nine"]);
    expect(packHits(hits, 1_000)[0]).toMatchObject({
      line_start: 4,
      line_end: 6,
      score: 0.9,
      origins: ["user:4", "user:5", "user:6"],
    });
    expect(packHits(hits, 3).map(({ text }) => text)).toEqual(["five"]);
    expect(packHits(hits, 0)).toEqual([]);
  });

  it("leave out what does not fit, for what comes after it and does", () => {
    const hits = [hit(1, "x".repeat(4_000), 0.9), hit(5, "short", 0.5)];
    expect(packHits(hits, 50).map(({ text }) => text)).toEqual(["short"]);
    expect(estimateTokens("x".repeat(4_000))).toBe(1_000);
  });
});

describe("the settings of memory", () => {
  it("come from the preset where none is given", () => {
    expect(memorySettings()).toEqual({
      max_results: 6,
      vector_weight: "auto",
      min_score: 0,
      relative_cut: 0.6,
      candidates: 400,
      chunk_tokens: 80,
      overlap_tokens: 0,
      context_chunks: 2,
      recall_tokens: 1500,
    });
    expect(memorySettings({ preset: "classic", max_results: 5 })).toMatchObject({
      vector_weight: 0.7,
      min_score: 0.35,
      candidates: 20,
      chunk_tokens: 400,
      overlap_tokens: 80,
      context_chunks: 0,
    });
  });
});
