import { visibleText } from "../policy/visible-text.ts";
import type { MemoryHit } from "../schema/memory.ts";

/** What was found in memory as a model is shown it: each piece with its place and where it is from, every line of it quoted, so that
 *  none can look like a word of statehive's. */

const mostCharacters = 2_000;
const mostHeadingCharacters = 200;
const mostOriginsCharacters = 400;

export function shownHit(hit: MemoryHit): string {
  const about = [visibleText(cut(hit.heading, mostHeadingCharacters)), writersOf(hit)];
  const facts = about.filter((fact) => fact !== "").join("; ");
  return [`${placeOf(hit)}${facts === "" ? "" : ` (${facts})`}`, quoted(hit.text)].join("\n");
}

/** `main/local/MEMORY.md:3-4`, `main/local/MEMORY.md:7`; a past task has no lines. */
function placeOf({ path, kind, line_start, line_end }: MemoryHit): string {
  const shown = visibleText(path);
  if (kind === "task") return shown;
  return line_start === line_end ? `${shown}:${line_start}` : `${shown}:${line_start}-${line_end}`;
}

const placeOfTask = /^task\/[^/]+$/;

/** Of what was shown, the text of memory files without its quotes; past tasks stand in no file. */
export function memoriesShown(shown: string): string {
  let isTask = false;
  return shown
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("> ")) return isTask ? [] : [line.slice(2)];
      if (line !== "") isTask = placeOfTask.test(line.split(" ", 1)[0] ?? "");
      return [];
    })
    .join("\n");
}

function writersOf({ origins }: MemoryHit): string {
  if (origins.length === 0) return "";
  return `from ${visibleText(cut(origins.join(", "), mostOriginsCharacters))}`;
}

function quoted(text: string): string {
  return cut(text.trim(), mostCharacters)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${visibleText(line)}`)
    .join("\n");
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…`;
}
