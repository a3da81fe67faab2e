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

/** The units that these lines are of. */
export function unitsIn(
  text: string,
  { line_start, line_end }: { readonly line_start: number; readonly line_end: number },
): Unit[] {
  return unitsOf(text).filter(
    (unit) => unit.line_start <= line_end && unit.line_end >= line_start && saysSomething(unit),
  );
}

/** What says nothing but a mark or a blank is of every text. */
function saysSomething({ same }: Unit): boolean {
  return /[\p{L}\p{N}]/u.test(same);
}

/** The units that hold this, whatever the case of its letters. */
export function unitsHolding(text: string, wanted: string): Unit[] {
  const same = sameness(wanted);
  if (same === "") return [];
  return unitsOf(text).filter((unit) => unit.same.includes(same));
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
