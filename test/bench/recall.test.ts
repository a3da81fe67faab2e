import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Conversation, readConversations } from "../../bench/support/conversations.ts";
import { documentOf, measureRecall } from "../../bench/support/recall.ts";
import { compareModes } from "../../bench/support/recall-modes.ts";
import { createFakeEmbedder } from "../../src/adapters/embedder/fake-embedder.ts";
import { createInMemoryIndex } from "../../src/adapters/memory-index/in-memory-index.ts";

const talk: Conversation = {
  id: "talk",
  sessions: [
    { date: "1 May", turns: ["apple", "pear"].map((text, at) => ({ id: `D1:${at + 1}`, text })) },
    { date: "2 May", turns: [{ id: "D2:1", text: "apple pie" }] },
  ],
  questions: [
    { text: "apple", evidence: ["D1:1", "D2:1"], category: "multi-hop" },
    { text: "pear", evidence: ["D1:1", "D1:2"], category: "multi-hop" },
    { text: "plum", evidence: ["D1:1"], category: "single-hop" },
    { text: "nothing", evidence: [], category: "adversarial" },
  ],
};

describe("how recall is measured", () => {
  it("takes a turn as a chunk, and the date of its session as its heading", () => {
    expect(documentOf(talk)).toMatchObject({
      partition: "talk",
      chunks: [
        { text: "apple", heading: "1 May", line_start: 1 },
        { text: "pear", heading: "1 May", line_start: 2 },
        { text: "apple pie", heading: "2 May", line_start: 3 },
      ],
    });
  });

  it("is the share of the evidence that was found; no evidence counts 1", async () => {
    const index = createInMemoryIndex();
    await index.put(documentOf(talk));
    const { overall, byCategory } = await measureRecall(index, [talk]);
    expect(overall).toEqual({ questions: 4, at: [62.5, 62.5, 62.5] });
    expect(byCategory.get("multi-hop")).toEqual({ questions: 2, at: [75, 75, 75] });
    expect(byCategory.get("single-hop")).toEqual({ questions: 1, at: [0, 0, 0] });
    expect(byCategory.get("adversarial")).toEqual({ questions: 1, at: [100, 100, 100] });
    expect(byCategory.get("temporal")?.questions).toBe(0);
  });
});

describe("recall in conversations of our own", () => {
  const path = new URL("../fixtures/conversations.json", import.meta.url);
  const { conversations } = readConversations(readFileSync(path, "utf8"));

  it("keeps to its floor by words, and both sides together find at least as much as the better one", async () => {
    const embedder = createFakeEmbedder();
    const reports = await compareModes(conversations, embedder);
    const at10 = (mode: "keyword" | "vector" | "hybrid") => reports.get(mode)?.overall.at[1] ?? 0;
    expect(at10("keyword")).toBeGreaterThan(72);
    expect(at10("vector")).toBeGreaterThan(45);
    expect(at10("hybrid")).toBeGreaterThanOrEqual(Math.max(at10("keyword"), at10("vector")));
    await embedder.close();
  });
});
