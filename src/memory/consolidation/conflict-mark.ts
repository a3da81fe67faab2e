import { createHash } from "node:crypto";
import type { NewMemory } from "../../schema/memory.ts";
import { sameness } from "../entries/entries.ts";
import type { Item } from "./material.ts";

/** How two memories that disagree are shown to people: both stay, the newer one first, below a line that says so. */

const mark = /^Conflict ([0-9a-f]{6}): /;
const words =
  "the next two entries disagree. Delete the one that is wrong; this line goes by itself then.";
/** Entries below the mark among which the two are looked for. */
const reach = 6;

export function conflictMark(newer: string, older: string): NewMemory {
  return { text: `Conflict ${tagOf(newer, older)}: ${words}`, origins: [] };
}

export function isConflictMark({ text, at, origins }: Item): boolean {
  return at !== null && origins.length === 0 && mark.test(text);
}

/** The mark and its two entries; undefined: one of them is gone or was changed. */
export function disputed(items: readonly Item[], index: number): readonly Item[] | undefined {
  const [marked, ...below] = items.slice(index, index + 1 + reach);
  if (marked === undefined) return undefined;
  const tag = mark.exec(marked.text)?.[1];
  for (const [place, newer] of below.entries()) {
    const older = below.slice(place + 1).find(({ text }) => tagOf(newer.text, text) === tag);
    if (older !== undefined) return [marked, newer, older];
  }
  return undefined;
}

function tagOf(newer: string, older: string): string {
  const both = JSON.stringify([sameness(newer), sameness(older)]);
  return createHash("sha256").update(both).digest("hex").slice(0, 6);
}
