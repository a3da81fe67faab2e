import { parseEntries, sameness } from "./entries.ts";

/** What can be forgotten of a text: its entries whole, and its other lines one by one. */
export type Unit = {
  readonly line_start: number;
  readonly line_end: number;
  /** What says the same has the same; "" for what says nothing. */
  readonly same: string;
};

export function unitsOf(text: string): Unit[] {
  const entries = new Map(parseEntries(text).map((entry) => [entry.line_start, entry]));
  const units: Unit[] = [];
  const lines = text.split(/\r?\n/);
  for (let line = 1; line <= lines.length; line += 1) {
    const entry = entries.get(line);
    if (entry === undefined) {
      units.push({ line_start: line, line_end: line, same: sameness(lines[line - 1] ?? "") });
      continue;
    }
    const { line_start, line_end } = entry;
    units.push({ line_start, line_end, same: sameness(entry.text) });
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

/** Whether a unit holds this, whatever the case of its letters. */
export function isHolding(wanted: string): (unit: Unit) => boolean {
  const same = sameness(wanted);
  return same === "" ? () => false : (unit) => unit.same.includes(same);
}

/** The text without what says the same; itself where nothing of that is in it. */
export function without(text: string, forgotten: ReadonlySet<string>): string {
  const lines = text.split("\n");
  const units = unitsOf(text);
  const kept = units.filter(({ same }) => !forgotten.has(same));
  if (kept.length === units.length) return text;
  return kept
    .flatMap(({ line_start, line_end }) => lines.slice(line_start - 1, line_end))
    .join("\n");
}
