import type { Item } from "./material.ts";
import { questionLimits, type Survey } from "./survey.ts";
import { wordsOf } from "./words.ts";

/** What a model is shown of a survey: new entries as d1, d2 …, and those of MEMORY.md that have to do with them as m1, m2 … */

export type Shown = {
  readonly entries: ReadonlyMap<string, Item>;
  readonly known: ReadonlyMap<string, Item>;
};

const mostKnown = 200;

export function shownOf({ fresh, known }: Survey): Shown {
  const about = fresh.length === 0 ? [] : related(known, fresh);
  return { entries: named("d", fresh), known: named("m", about) };
}

function named(letter: string, items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item, index) => [`${letter}${index + 1}`, item]));
}

/** Those that share most words with what is new, in the order in which they stand. */
function related(known: readonly Item[], fresh: readonly Item[]): Item[] {
  const words = new Set(fresh.flatMap(({ text }) => wordsOf(text)));
  const ranked = known
    .filter(({ text }) => text.length <= questionLimits.entryCharacters)
    .map((item) => ({ item, shared: wordsOf(item.text).filter((word) => words.has(word)).length }))
    .toSorted((one, other) => other.shared - one.shared);
  let characters = 0;
  const chosen = new Set<Item>();
  for (const { item } of ranked) {
    characters += item.text.length;
    if (chosen.size >= mostKnown || characters > questionLimits.characters) break;
    chosen.add(item);
  }
  return known.filter((item) => chosen.has(item));
}
