import type { Outcome } from "./script.ts";

/** What earlier results of the conversation say, for words that refer to them. */

const ordinals: readonly (readonly [RegExp, number])[] = [
  [/\b(?:first|1st)\b/i, 0],
  [/\b(?:second|2nd)\b/i, 1],
  [/\b(?:third|3rd)\b/i, 2],
  [/\b(?:fourth|4th)\b/i, 3],
  [/\b(?:fifth|5th)\b/i, 4],
  [/\blast\b/i, -1],
];

export function ordinal(sentence: string): number | undefined {
  return ordinals.find(([pattern]) => pattern.test(sentence))?.[1];
}

/** The files of the newest listing, in its order. */
export function listedFiles(past: readonly Outcome[]): readonly string[] {
  const listing = past.findLast((outcome) => outcome.tool === "file_list" && !outcome.isError);
  const lines = listing?.output.split("\n") ?? [];
  return lines
    .map((line) => /^(.+) \(\d+ bytes?\)$/.exec(line)?.[1])
    .filter((path) => path !== undefined);
}

export function lastPath(past: readonly Outcome[]): string | undefined {
  const outcome = past.findLast(({ input }) => typeof input["path"] === "string");
  return outcome?.input["path"] as string | undefined;
}

export function lastRead(past: readonly Outcome[]): Outcome | undefined {
  return past.findLast((outcome) => outcome.tool === "file_read" && !outcome.isError);
}

/** The text of a file from what file_read answered, or nothing where that is not all of it. */
export function wholeText(read: Outcome): string | undefined {
  if (/^\[[^\n]* is empty\]$/.test(read.output)) return "";
  return /\n\n\[(?:lines |bytes )[^\n]*\]$/.test(read.output) ? undefined : read.output;
}
