import type { ConsolidationNote } from "../../schema/consolidation.ts";
import { sameness } from "../entries/entries.ts";
import { disputed, isConflictMark } from "./conflict-mark.ts";
import {
  daysBetween,
  isByHand,
  type Item,
  itemsOf,
  type Material,
  type MemoryText,
} from "./material.ts";

/** What may go without anybody being asked. Only entries that the service wrote: what a person wrote by hand stays. */

export type Removal = { readonly item: Item; readonly note: ConsolidationNote };

/** @param seen keys of entries that this consolidation has looked at, by their file */
export function removalsIn(
  file: MemoryText,
  material: Material,
  seen: ReadonlyMap<string, ReadonlySet<string>>,
): Removal[] {
  const items = itemsOf(file);
  const kept = new Set(disputedIn(items));
  const stale = isStale(file, material)
    ? items.filter((item) => isForgettable(item, material, seen))
    : [];
  const gone = new Set(stale);
  const repeated = file.day === material.today ? [] : repeatedIn(items, material.trusts);
  return [
    ...settledMarks(items).map((item) => removal("resolved", item, "its conflict is settled")),
    ...stale.map((item) => removal("forgotten", item, ageWords(file, material))),
    ...repeated
      .filter((item) => !kept.has(item) && !gone.has(item))
      .map((item) => removal("forgotten", item, "the same stands in this file once more")),
  ];
}

/** Entries that stand against each other: not to be taken away until a person has said which is right. */
export function disputedIn(items: readonly Item[]): Item[] {
  return items.flatMap((item, index) =>
    isConflictMark(item) ? (disputed(items, index) ?? []) : [],
  );
}

function settledMarks(items: readonly Item[]): Item[] {
  return items.filter(
    (item, index) => isConflictMark(item) && disputed(items, index) === undefined,
  );
}

function isStale({ day }: MemoryText, { today, rules }: Material): boolean {
  const { forget_after_days: days } = rules;
  return day !== null && days !== null && daysBetween(day, today) > days;
}

/** Where facts are promoted, nothing goes before it was looked at. */
function isForgettable(
  item: Item,
  { considered, rules, long_term_path }: Material,
  seen: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (isByHand(item)) return false;
  if (!rules.promote || long_term_path === null) return true;
  return [considered, seen].some((by) => by.get(item.path)?.has(item.key) === true);
}

function ageWords({ day }: MemoryText, { today }: Material): string {
  return `it is ${daysBetween(day ?? today, today)} days old`;
}

/** Of entries that say the same, one stays: what a person wrote, else what is trusted, else the first. One that came from elsewhere
 *  than the one that stays, and is the only one from there, stays too. */
export function repeatedIn(items: readonly Item[], trusts: Material["trusts"]): Item[] {
  return groupsOfSame(items).flatMap((group) => {
    const kept =
      group.find(isByHand) ?? group.find((item) => item.origins.every(trusts)) ?? group[0];
    if (kept === undefined) return [];
    const covers = (item: Item) =>
      kept.origins.every(trusts) || item.origins.every((each) => kept.origins.includes(each));
    return group.filter((item) => item !== kept && !isByHand(item) && covers(item));
  });
}

function groupsOfSame(items: readonly Item[]): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    if (isConflictMark(item)) continue;
    const same = sameness(item.text);
    groups.set(same, [...(groups.get(same) ?? []), item]);
  }
  return [...groups.values()];
}

function removal(kind: "resolved" | "forgotten", item: Item, text: string): Removal {
  return { item, note: { kind, path: item.path, line: item.line_start, text } };
}
