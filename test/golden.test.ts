import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Line, play } from "./golden/transcript.ts";

/** Whole conversations with the offline model, step by step. `UPDATE_GOLDEN=1` records them anew: read the difference. */

const folder = join(import.meta.dirname, "golden");
const sentences = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

it.each(sentences)("%s", async (sentence) => {
  const input = linesOf(join(folder, sentence, "input.jsonl"));
  const expected = join(folder, sentence, "expected.jsonl");
  const played = await play(input.map((line) => JSON.parse(line) as Line));
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(expected, `${played.join("\n")}\n`);
  expect(played).toEqual(linesOf(expected));
});
