import type { Block } from "./blocks.ts";
import { HeadingPath, titleOfLine, type Title } from "./headings.ts";
import { takeProvenance } from "../entries/take-provenance.ts";

/** The blocks of a Markdown file, in order. Not a parser of Markdown: it knows what parts one statement from the next. A list item
 *  has with it what is indented below it, so that whoever is named at its end is named for all of it. Every line that says something
 *  is in one block; of headings, only those with nothing below them. */
export function* blocksOfMarkdown(lines: readonly string[], outer: string): Generator<Block> {
  const headings = new HeadingPath(outer);
  let at = firstSaying(lines, 0);
  while (at < lines.length) {
    const title = titleAt(lines, at);
    const to = title === null ? endOfBlock(lines, at) : at + title.lines;
    const next = firstSaying(lines, to);
    if (title !== null) headings.leave(title.level);
    if (title === null || isLeaf(title, lines, next)) {
      const { kept, origins } = takeProvenance(lines.slice(at, to));
      if (!kept.every(isBlank))
        yield { lines: kept, line: at + 1, heading: headings.text, origins };
    }
    if (title !== null) headings.enter(title);
    at = next;
  }
}

type TitleLines = Title & { readonly lines: number };

function titleAt(lines: readonly string[], at: number): TitleLines | null {
  const line = lines[at] ?? "";
  const title = titleOfLine(line);
  if (title !== null) return { ...title, lines: 1 };
  const underline = lines[at + 1] ?? "";
  if (!isUnderline(underline) || !canBeUnderlined(line)) return null;
  return { level: underline.trim().startsWith("=") ? 1 : 2, title: line.trim(), lines: 2 };
}

const isUnderline = (line: string) => line.length <= 200 && /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line);

function canBeUnderlined(line: string): boolean {
  return line.length <= 200 && /^ {0,3}[^\s>|]/.test(line) && !isItem(line) && !isUnderline(line);
}

function isLeaf(title: Title, lines: readonly string[], next: number): boolean {
  const below = titleAt(lines, next);
  return next === lines.length || (below !== null && below.level <= title.level);
}

/** The line after the block that begins at `from`. */
function endOfBlock(lines: readonly string[], from: number): number {
  const first = lines[from] ?? "";
  const fence = fenceOf(first);
  if (fence !== null) return endOfFence(lines, from, fence);
  return isItem(first) ? endOfItem(lines, from) : endOfParagraph(lines, from);
}

function endOfParagraph(lines: readonly string[], from: number): number {
  let at = from + 1;
  while (at < lines.length && !isBlank(lines[at] ?? "") && !beginsBlock(lines, at)) at += 1;
  return at;
}

/** What is indented goes on with it, also after an empty line; any other line of text where none is between. */
function endOfItem(lines: readonly string[], from: number): number {
  const inside = indentOf(lines[from] ?? "") + 2;
  let to = from + 1;
  for (let at = firstSaying(lines, to); at < lines.length; at = firstSaying(lines, to)) {
    const isInside = indentOf(lines[at] ?? "") >= inside;
    if (!isInside && (at > to || beginsBlock(lines, at))) break;
    to = at + 1;
  }
  return to;
}

function beginsBlock(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  return isItem(line) || fenceOf(line) !== null || titleAt(lines, at) !== null;
}

function endOfFence(lines: readonly string[], from: number, fence: string): number {
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trim();
    if (line.startsWith(fence) && line === fence.charAt(0).repeat(line.length)) return at + 1;
  }
  return lines.length;
}

/** The characters that open a fence, and close it again. */
function fenceOf(line: string): string | null {
  return /^ {0,3}(`{3,}(?!.*`)|~{3,})/.exec(line.slice(0, 400))?.[1] ?? null;
}

const isItem = (line: string) => /^\s{0,40}(?:[-*+]|\d{1,9}[.)])\s/.test(line.slice(0, 60));

const isBlank = (line: string) => line.trim() === "";

/** In columns. */
function indentOf(line: string): number {
  const spaces = /^[ \t]*/.exec(line.slice(0, 200))?.[0] ?? "";
  return spaces.replaceAll("\t", "    ").length;
}

function firstSaying(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && isBlank(lines[at] ?? "")) at += 1;
  return at;
}
