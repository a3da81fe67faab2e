import type {
  ConsolidationNote,
  ConsolidationProposal,
  ConsideredEntries,
} from "../../schema/consolidation.ts";
import { type Judged, judgeProposal } from "./judge.ts";
import { changedLongTerm, type Promoting } from "./long-term.ts";
import { type Item, itemsOf, type Material, type MemoryText } from "./material.ts";
import { disputedIn, type Removal, removalsIn } from "./rules.ts";
import { shownOf } from "./shown.ts";
import { survey } from "./survey.ts";
import { withoutItems } from "./without-items.ts";

/** What the files of a partition are to become. The same arguments give the same texts; what was done once is not done again. */

export type PlannedText = {
  readonly path: string;
  /** Null: the file goes. */
  readonly text: string | null;
};

export type TextPlan = {
  /** Of the files that change; first where entries go to, so that what is cut off halfway has taken nothing away too early. */
  readonly texts: readonly PlannedText[];
  readonly notes: readonly ConsolidationNote[];
  /** Of the files whose list changes: all keys; none where the file is gone. */
  readonly considered: readonly ConsideredEntries[];
};

type Keys = ReadonlyMap<string, ReadonlySet<string>>;

const nothing: Judged = { promotions: [], conflicts: [], outdated: [], notes: [] };

/** @param proposal a model's; undefined: the rules alone decide, and what was not judged stays new */
export function planConsolidation(
  material: Material,
  proposal: ConsolidationProposal | undefined,
): TextPlan {
  const found = survey(material);
  const { long_term_path, files } = material;
  const longTerm = files.filter(({ path }) => path === long_term_path).flatMap(itemsOf);
  const judging = { shown: shownOf(found), longTerm, disputed: disputedIn(longTerm) };
  const judged = proposal === undefined ? nothing : judgeProposal(proposal, judging);
  const looked = proposal === undefined ? found.settled : [...found.settled, ...found.fresh];
  const seen = keysByPath(looked);
  const plans = files.map((file) => ({
    file,
    removals: removalsFrom(file, { material, seen, judged }),
  }));
  const promoting = { judged, today: material.today };
  return {
    texts: textsOf(plans, { long_term_path, promoting }),
    notes: [
      ...judgedNotes(judged),
      ...judged.notes,
      ...plans.flatMap(({ removals }) => removals.map(({ note }) => note)),
      ...found.notes,
    ],
    considered: consideredAfter(material, seen),
  };
}

type FilePlan = { readonly file: MemoryText; readonly removals: readonly Removal[] };
type Deciding = { readonly material: Material; readonly seen: Keys; readonly judged: Judged };

function removalsFrom(file: MemoryText, { material, seen, judged }: Deciding): Removal[] {
  const opposed = judged.conflicts.map(({ older }) => older);
  const over = judged.outdated
    .filter(({ path }) => path === file.path)
    .map((item) => ({ item, note: noteOf("outdated", item, "it is over") }));
  const isKept = ({ item }: Removal) =>
    !opposed.some(
      (each) => "path" in each && each.line_start === item.line_start && each.path === item.path,
    ) && !over.some((each) => each.item.line_start === item.line_start);
  return [...over, ...removalsIn(file, material, seen).filter(isKept)];
}

type Target = { readonly long_term_path: string | null; readonly promoting: Promoting };

function textsOf(plans: readonly FilePlan[], { long_term_path, promoting }: Target): PlannedText[] {
  const isThere = plans.some(({ file }) => file.path === long_term_path);
  const texts = plans.flatMap(({ file, removals }) => {
    const items = removals.map(({ item }) => item);
    const { path, text, day } = file;
    const after =
      path === long_term_path
        ? changedLongTerm(text, items, promoting)
        : withoutItems(text, items, day);
    return after === text ? [] : [{ path, text: after }];
  });
  const isBegun = !isThere && long_term_path !== null && promoting.judged.promotions.length > 0;
  const begun = isBegun
    ? [{ path: long_term_path, text: changedLongTerm(null, [], promoting) }]
    : [];
  const isFirst = ({ path }: PlannedText) => path === long_term_path;
  return [...begun, ...texts.filter(isFirst), ...texts.filter((each) => !isFirst(each))];
}

function judgedNotes({ promotions, conflicts }: Judged): ConsolidationNote[] {
  return [
    ...promotions.flatMap(({ sources }) =>
      sources.map((item) => noteOf("promoted", item, "it is remembered for good")),
    ),
    ...conflicts.flatMap(({ newer, older }) => {
      const [about] = "path" in older ? [older] : older.sources;
      const by = newer.sources.map(({ path, line_start }) => `${path}:${line_start}`).join(", ");
      return about === undefined ? [] : [noteOf("conflict", about, `${by} says otherwise`)];
    }),
  ];
}

function noteOf(kind: ConsolidationNote["kind"], item: Item, text: string): ConsolidationNote {
  return { kind, path: item.path, line: item.line_start, text };
}

function keysByPath(items: readonly Item[]): Keys {
  const keys = new Map<string, Set<string>>();
  for (const { path, key } of items) keys.set(path, (keys.get(path) ?? new Set()).add(key));
  return keys;
}

/** Of what stands in the files now: what goes with this plan may yet stay, where its file is edited meanwhile. */
function consideredAfter({ files, considered }: Material, seen: Keys): ConsideredEntries[] {
  const listed = files
    .filter(({ day }) => day !== null)
    .map((file) => {
      const known = itemsOf(file).filter(({ path, key }) =>
        [considered, seen].some((by) => by.get(path)?.has(key) === true),
      );
      return { path: file.path, entries: [...new Set(known.map(({ key }) => key))] };
    });
  const paths = new Set(listed.map(({ path }) => path));
  const lost = [...considered.keys()]
    .filter((path) => !paths.has(path))
    .map((path) => ({ path, entries: [] }));
  return [...listed, ...lost].filter(
    ({ path, entries }) => !isSame(entries, considered.get(path) ?? new Set()),
  );
}

function isSame(entries: readonly string[], others: ReadonlySet<string>): boolean {
  return entries.length === others.size && entries.every((each) => others.has(each));
}
