import type { NewMemory } from "../../schema/memory.ts";
import { cleanText } from "../../text/clean-text.ts";
import { takeProvenance } from "./take-provenance.ts";

/** Memories as they stand in files: list items, each with a comment at its end that says when it came and from whom.
 *
 *  `- Anna's birthday is on May 3rd. <!-- 2026-11-22 14:02 user:1001 -->`
 *
 *  Text of others can neither open nor close such a comment, nor begin a heading or another entry. */

export type Entry = {
  /** Counted from 1, both included. */
  readonly line_start: number;
  readonly line_end: number;
  /** Without list mark, indentation and comment. */
  readonly text: string;
  /** Whose text it is, as the comment says; empty: a person wrote it by hand, or nobody else is in it. */
  readonly origins: readonly string[];
  /** `2026-11-22 14:02`, or in a daily file `14:02`; null: there is no comment, a person wrote it. */
  readonly at: string | null;
};

/** @param at as the comment says it */
export function formatEntry({ text, origins }: NewMemory, at: string): string {
  const [first = "", ...others] = harmless(text).split("\n");
  const lines = [`- ${first}`, ...others.map((line) => (line === "" ? "" : `  ${line}`))];
  return `${lines.join("\n")} ${provenance(origins, at)}`;
}

function provenance(origins: readonly string[], at: string): string {
  return `<!-- ${[at, ...origins.map(encoded)].join(" ")} -->`;
}

const manyBlankLines = /\n(?:[ \t]*\n){2,}/g;
/** What would begin a heading, a quote, a fence, a list, a rule, or make a heading of the line before. */
const blockMark = /^(\s*)(#|>|```|~~~|[-=*_]{2,}\s*$)/;
const listMark = /^([-+*]|\d{1,9}[.)])(?=\s|$)/;
const commentMark = /<(?=!)|(?<=--!?)>/g;

function harmless(text: string): string {
  const lines = cleanText(text, { multiline: true })
    .replaceAll("\t", "  ")
    .trim()
    .replaceAll(manyBlankLines, "\n\n")
    .replaceAll(commentMark, (mark) => (mark === "<" ? "&lt;" : "&gt;"))
    .split("\n")
    .map((line) => line.trimEnd().replace(blockMark, String.raw`$1\$2`));
  const [first = "", ...others] = lines;
  return [first.replace(listMark, String.raw`\$1`), ...others].join("\n");
}

/** No blank, no sign of a comment's end. */
function encoded(origin: string): string {
  return cleanText(origin, { multiline: false })
    .replaceAll(/[\s<>%]/g, encodeURIComponent)
    .replaceAll("--", "-%2D");
}

const entryMark = /^[-*+]\s+/;

/** The list items that begin at a line's beginning; what else a person wrote is no entry. */
export function parseEntries(text: string): Entry[] {
  const lines = text.split(/\r?\n/);
  const entries: Entry[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    if (!entryMark.test(lines[start] ?? "")) continue;
    const end = endOfEntry(lines, start);
    entries.push(entryOf(lines.slice(start, end + 1), start + 1));
    start = end;
  }
  return entries;
}

/** Indented lines go on with it, also after blank ones; a line at the beginning does where none is between. */
function endOfEntry(lines: readonly string[], start: number): number {
  let end = start;
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    const goesOn = /^(?: {2,}|\t)/.test(line) || (at === end + 1 && !beginsAnew(line));
    if (!goesOn) break;
    end = at;
  }
  return end;
}

function beginsAnew(line: string): boolean {
  return /^ {0,1}(?:#|>|```|~~~|[-*+]\s|\d{1,9}[.)]\s|<!--)/.test(line);
}

function entryOf(lines: readonly string[], first: number): Entry {
  const whole = lines.map((line, index) =>
    index === 0 ? line.replace(entryMark, "") : line.replace(/^(?: {1,2}|\t)/, ""),
  );
  const { kept, origins, at } = takeProvenance(whole);
  return {
    line_start: first,
    line_end: first + lines.length - 1,
    text: kept.join("\n").trimEnd(),
    origins,
    at,
  };
}

/** Whose text stands in these lines, as far as the entries that touch them say. */
export function originsOfLines(
  entries: readonly Entry[],
  { line_start, line_end }: { readonly line_start: number; readonly line_end: number },
): string[] {
  const touched = entries.filter(
    (entry) => entry.line_start <= line_end && entry.line_end >= line_start,
  );
  return [...new Set(touched.flatMap(({ origins }) => origins))];
}

/** Two texts that say the same word by word have the same. */
export function sameness(text: string): string {
  return harmless(text).normalize("NFC").replaceAll(/\s+/g, " ").trim().toLowerCase();
}
