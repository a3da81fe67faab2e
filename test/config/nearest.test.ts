import { expect, it } from "vitest";
import { nearest } from "../../src/config/nearest.ts";

it.each([
  ["max_tool_round", "max_tool_rounds"],
  ["file_raed", "file_read"],
  ["FILE_READ", "file_read"],
  ["api-key", "api_key"],
  ["budget", undefined],
  ["x", undefined],
  ["", undefined],
  ["a".repeat(100_000), undefined],
])("takes %.20s for %s", (word, meant) => {
  expect(nearest(word, ["max_tool_rounds", "file_read", "file_write", "api_key"])).toBe(meant);
});
