import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readConversations } from "../../bench/support/conversations.ts";
import { compareModes } from "../../bench/support/recall-modes.ts";
import { createBuiltinEmbedder } from "../../src/adapters/embedder/builtin-embedder.ts";

const path = new URL("../fixtures/conversations.json", import.meta.url);

it("finds more by words and the built-in embedder together than by either alone", async () => {
  const { conversations } = readConversations(readFileSync(path, "utf8"));
  const embedder = createBuiltinEmbedder();
  const reports = await compareModes(conversations, embedder);
  await embedder.close();
  const at10 = (mode: "keyword" | "vector" | "hybrid") => reports.get(mode)?.overall.at[1] ?? 0;
  expect(at10("keyword")).toBeGreaterThan(72);
  expect(at10("vector")).toBeGreaterThan(62);
  expect(at10("hybrid")).toBeGreaterThan(76);
  expect(at10("hybrid")).toBeGreaterThan(Math.max(at10("keyword"), at10("vector")));
});
