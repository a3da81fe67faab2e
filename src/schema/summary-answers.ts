import { z } from "zod";
import { beginningOf } from "./text/cut-text.ts";

/** What a model may answer that was asked to sum up a conversation; what is too much is cut off. */

const longestSummary = 8_000;
const mostFacts = 10;
const longestFact = 500;
const mostLines = 5;
const longestEntry = 1_500;

export const historyAnswer = z.object({
  summary: z
    .string()
    .trim()
    .min(1)
    .transform((text) => beginningOf(text, longestSummary)),
  facts: z
    .array(z.string().trim())
    .default([])
    .transform((facts) =>
      facts.filter((fact) => fact !== "" && fact.length <= longestFact).slice(0, mostFacts),
    ),
});

export const episodeAnswer = z.object({
  entry: z
    .string()
    .nullable()
    .transform((text) => shortEntry(text ?? "")),
});

/** Null: there is nothing to tell. */
function shortEntry(text: string): string | null {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const short = beginningOf(lines.slice(0, mostLines).join("\n"), longestEntry);
  return short === "" ? null : short;
}
