import { withEntries } from "../entries/append-entries.ts";
import { formatEntry } from "../entries/entries.ts";
import { conflictMark } from "./conflict-mark.ts";
import { editLines, type LineEdit } from "./edit-lines.ts";
import type { Conflict, Judged, Promotion } from "./judge.ts";
import type { Item } from "./material.ts";
import { removing } from "./without-items.ts";
import type { NewMemory } from "../../schema/memory.ts";

/** What is remembered for good, with what is promoted: at its end, or before what it stands against. */

export type Promoting = { readonly judged: Judged; readonly today: string };

type Dated = { readonly entry: NewMemory; readonly at: string };

const midnight = "00:00";

export function changedLongTerm(
  text: string | null,
  gone: readonly Item[],
  { judged, today }: Promoting,
): string {
  const { promotions, conflicts } = judged;
  const opposed = new Set(conflicts.flatMap(({ newer, older }) => [newer, older]));
  const edits = [
    ...gone.map(removing),
    ...conflicts.flatMap((conflict) => insertion(conflict, today)),
  ];
  const added = [
    ...promotions.filter((each) => !opposed.has(each)).map(dated),
    ...conflicts.flatMap(({ newer, older }) =>
      "path" in older ? [] : [marked(newer, older, today), dated(newer), dated(older)],
    ),
  ];
  const edited = text === null || edits.length === 0 ? text : editLines(text, edits);
  return (
    added.reduce<string | null>(
      (before, { entry, at }) => withEntries(before, { heading: "Memory", entries: [entry], at }),
      edited,
    ) ?? ""
  );
}

function insertion({ newer, older }: Conflict, today: string): LineEdit[] {
  if (!("path" in older)) return [];
  const lines = [marked(newer, older, today), dated(newer)].flatMap(({ entry, at }) =>
    formatEntry(entry, at).split("\n"),
  );
  return [{ line: older.line_start, remove: 0, insert: lines }];
}

function marked(newer: Promotion, older: { readonly text: string }, today: string): Dated {
  return { entry: conflictMark(newer.text, older.text), at: `${today} ${midnight}` };
}

/** With whose words it is made of, and the day of the last of them. */
function dated({ text, sources }: Promotion): Dated {
  const origins = [...new Set(sources.flatMap((item) => item.origins))];
  const at = sources.map(momentOf).toSorted().at(-1) ?? midnight;
  return { entry: { text, origins }, at };
}

/** Of what a person wrote by hand the day alone is known. */
function momentOf({ day, at }: Item): string {
  return `${day ?? ""} ${at?.slice(-midnight.length) ?? midnight}`;
}
