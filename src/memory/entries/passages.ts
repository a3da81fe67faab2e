import { parseEntries, sameness } from "./entries.ts";
import { linesOfStretches, stretchesHolding, type Unit } from "./stretches.ts";

/** What can be forgotten of a text: its entries whole, and its other lines one by one. */
export function unitsOf(text: string): Unit[] {
  const entries = new Map(parseEntries(text).map((entry) => [entry.line_start, entry]));
  const units: Unit[] = [];
  const lines = text.split(/\r?\n/);
  for (let line = 1; line <= lines.length; line += 1) {
    const entry = entries.get(line);
    if (entry === undefined) {
      const same = sameness(lines[line - 1] ?? "");
      units.push({ line_start: line, line_end: line, same, isEntry: false });
      continue;
    }
    const { line_start, line_end } = entry;
    units.push({ line_start, line_end, same: sameness(entry.text), isEntry: true });
    line = line_end;
  }
  return units;
}

type Lines = { readonly line_start: number; readonly line_end: number };

/** The units that any of these lines are of. */
export function unitsIn(units: readonly Unit[], passages: readonly Lines[]): Unit[] {
  const inOrder = passages.toSorted((one, other) => other.line_start - one.line_start);
  let reach = 0;
  return units.filter((unit) => {
    for (let next = inOrder.at(-1); next !== undefined; next = inOrder.at(-1)) {
      if (next.line_start > unit.line_end) break;
      reach = Math.max(reach, next.line_end);
      inOrder.pop();
    }
    return unit.line_start <= reach && saysSomething(unit);
  });
}

/** What says nothing but a mark or a blank is of every text. */
function saysSomething({ same }: Unit): boolean {
  return /[\p{L}\p{N}]/u.test(same);
}

/** Those that hold this, whatever the case of its letters; and lines in a row that hold it together, as one: a sentence goes on in the
 *  next line of its paragraph. */
export function unitsHolding(units: readonly Unit[], wanted: string): Unit[] {
  const sought = sameness(wanted);
  if (sought === "") return [];
  const alone = units.filter(({ same }) => same.includes(sought));
  const found = [...alone, ...stretchesHolding(units, sought)].filter(saysSomething);
  return found.toSorted((one, other) => one.line_start - other.line_start);
}

/** The text without what says the same; itself where nothing of that is in it. */
export function without(text: string, forgotten: ReadonlySet<string>): string {
  const lines = text.split("\n");
  const units = unitsOf(text);
  const together = linesOfStretches(units, forgotten);
  const kept = units.filter((unit) => !forgotten.has(unit.same) && !together.has(unit));
  if (kept.length === units.length) return text;
  return kept
    .flatMap(({ line_start, line_end }) => lines.slice(line_start - 1, line_end))
    .join("\n");
}
