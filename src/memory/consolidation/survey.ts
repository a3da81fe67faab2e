import type { ConsolidationNote } from "../../schema/consolidation.ts";
import { sameness } from "../entries/entries.ts";
import { isConflictMark } from "./conflict-mark.ts";
import { type Item, itemsOf, type Material } from "./material.ts";
import { repeatedIn } from "./rules.ts";

/** What is new in the daily files since somebody last looked, and what becomes of it without being asked about. */

export type Survey = {
  /** To be judged, oldest first; no more than one question holds. */
  readonly fresh: readonly Item[];
  /** To be judged too, another time. */
  readonly later: readonly Item[];
  /** What is remembered for good, as far as it is trusted; of what stands there more than once, what stays. */
  readonly known: readonly Item[];
  /** Looked at now, and not to be asked about. */
  readonly settled: readonly Item[];
  readonly notes: readonly ConsolidationNote[];
};

export const questionLimits = { entries: 120, characters: 24_000, entryCharacters: 2_000 };

export function survey(material: Material): Survey {
  const { files, long_term_path, rules } = material;
  const longTerm = files.filter(({ path }) => path === long_term_path).flatMap(itemsOf);
  const repeated = new Set(repeatedIn(longTerm, material.trusts));
  const known = longTerm.filter(
    (item) => isTrusted(item, material) && !isConflictMark(item) && !repeated.has(item),
  );
  if (!rules.promote || long_term_path === null)
    return { fresh: [], later: [], known, settled: [], notes: [] };
  const said = new Set(longTerm.map(({ text }) => sameness(text)));
  const fresh: Item[] = [];
  const settled: Item[] = [];
  const notes: ConsolidationNote[] = [];
  for (const item of newItems(material)) {
    const same = sameness(item.text);
    const reason = said.has(same) ? "" : reasonToLeave(item, material);
    if (reason === undefined) {
      fresh.push(item);
      said.add(same);
      continue;
    }
    settled.push(item);
    if (reason !== "") notes.push(heldBack(item, reason));
  }
  const asked = withinLimits(fresh);
  return { fresh: asked, later: fresh.slice(asked.length), known, settled, notes };
}

function newItems({ files, considered }: Material): Item[] {
  return files
    .filter(({ day }) => day !== null)
    .toSorted((one, other) => ((one.day ?? "") < (other.day ?? "") ? -1 : 1))
    .flatMap(itemsOf)
    .filter(({ path, key }) => considered.get(path)?.has(key) !== true);
}

function isTrusted({ origins }: Item, { trusts }: Material): boolean {
  return origins.every(trusts);
}

/** Undefined: it is to be judged. */
function reasonToLeave(item: Item, { trusts }: Material): string | undefined {
  const foreign = item.origins.filter((origin) => !trusts(origin));
  if (foreign.length > 0)
    return `it came from ${foreign.join(", ")}, who does not decide what is remembered for good`;
  if (item.text.length > questionLimits.entryCharacters) return "it is too long to be a fact";
  return item.text.trim() === "" ? "it is empty" : undefined;
}

function heldBack({ path, line_start: line }: Item, text: string): ConsolidationNote {
  return { kind: "held_back", path, line, text };
}

function withinLimits(items: readonly Item[]): Item[] {
  let characters = 0;
  return items.slice(0, questionLimits.entries).filter(({ text }) => {
    characters += text.length;
    return characters <= questionLimits.characters;
  });
}
