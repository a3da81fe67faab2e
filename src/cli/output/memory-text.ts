import type { Results } from "../../schema/socket/protocol.ts";
import type {
  ForgottenPassage,
  MemoryStats,
  ShownMemoryChange,
  ShownMemoryHit,
} from "../../schema/shown/shown-memory.ts";
import { barred, shown } from "../../text/shown.ts";
import { age, moment } from "../../text/times.ts";
import type { CommandContext } from "../command-context.ts";
import { facts, table } from "./table.ts";

/** Memory as people read it on a terminal: what stands in files is behind a bar, so that it cannot be taken for our words. */

type Screen = Pick<CommandContext, "width" | "style" | "now">;

export function hitsText(
  hits: readonly ShownMemoryHit[],
  { width, style }: Omit<Screen, "now">,
): string {
  if (hits.length === 0) return "Nothing of that is remembered.";
  return hits
    .flatMap((hit) => {
      const { score, heading, text, origins } = hit;
      const place = style.bold(placeOf(hit));
      const under = heading === "" ? [] : [style.dim(shown(heading))];
      const whose = origins.length === 0 ? [] : [style.dim(`from ${shown(origins.join(", "))}`)];
      const first = [score.toFixed(2), place, ...under, ...whose].join("  ");
      return [first, ...barred(text.trimEnd(), "  ", width)];
    })
    .join("\n");
}

/** A past task has no lines. */
export function placeOf({ kind, path, line_start, line_end }: ShownMemoryHit): string {
  return kind === "task" ? shown(path) : `${shown(path)}:${linesOf(line_start, line_end)}`;
}

function linesOf(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}

export function filesText({ files, skipped }: Results["memory.files"], screen: Screen): string {
  const { width, now } = screen;
  const listed = table(
    files,
    [
      { title: "FILE", cell: ({ path }) => path },
      { title: "SIZE", cell: ({ bytes }) => sizeOf(bytes) },
      { title: "CHANGED", cell: ({ modified_at }) => age(modified_at, now) },
    ],
    { empty: "Nothing is remembered yet.", width },
  );
  return [listed, ...skippedLines(skipped)].join("\n");
}

function skippedLines(skipped: MemoryStats["skipped"]): string[] {
  if (skipped.length === 0) return [];
  const lines = skipped.map(({ path, reason }) => `  ${shown(path)}: ${shown(reason)}`);
  return ["left out", ...lines];
}

/** With the number of each line, as the other commands take it. */
export function numberedText(text: string, { width }: Screen): string {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const digits = String(lines.length).length;
  const beside = " ".repeat(digits);
  return lines
    .flatMap((line, index) => {
      const [first = "", ...rest] = barred(line, `${beside} `, width);
      const number = String(index + 1).padStart(digits);
      return [`${number}${first.slice(digits)}`, ...rest];
    })
    .map((line) => line.trimEnd())
    .join("\n");
}

type LogOf = Screen & { readonly path?: string | undefined };

export function logText(
  changes: readonly ShownMemoryChange[],
  { width, now, path: only }: LogOf,
): string {
  const empty =
    only === undefined ? "Nothing has changed yet." : `No change of ${shown(only)} is known.`;
  return table(
    changes,
    [
      { title: "ID", cell: ({ id }) => id },
      { title: "AGE", cell: ({ at }) => age(at, now) },
      { title: "KIND", cell: kindOf },
      { title: "LINES", cell: countsOf },
      { title: "BY", cell: ({ by }) => by },
      { title: "FILE", cell: ({ path }) => path },
    ],
    { empty, width },
  );
}

/** What was taken back stands in the reason. */
function kindOf({ kind, reason, over }: ShownMemoryChange): string {
  if (over.length > 0) return `${kind} over ${over.join(", ")}`;
  return kind === "restore" && reason !== "" ? `${kind} ${reason}` : kind;
}

type Counted = Pick<ShownMemoryChange, "added" | "removed" | "is_new" | "is_gone">;

function countsOf({ added, removed, is_new: isNew, is_gone: isGone }: Counted): string {
  if (isGone) return `file gone, -${removed}`;
  return isNew ? `new file, +${added}` : `+${added} -${removed}`;
}

export function diffText(change: Results["memory.diff"], { width, style }: Screen): string {
  const { id, path, at, kind, by, reason, over, diff } = change;
  const rows: [string, string][] = [
    ["file", `${shown(path)}${fateOf(change)}`],
    ["when", moment(at)],
    ["what", `${kind} by ${shown(by)}${reason === "" ? "" : `: ${shown(reason)}`}`],
    ...(over.length === 0 ? [] : [overFact(change)]),
  ];
  const shownDiff =
    diff === null
      ? ["  what it did is not kept any more, or is no text"]
      : diffLines(diff, { width, style });
  return [`change ${shown(id)}`, facts(rows, width), ...shownDiff].join("\n");
}

function overFact({ id, over }: Results["memory.diff"]): [string, string] {
  const restoring = `\`statehive memory restore ${shown(id)}\` takes this one back`;
  return ["over", `it left nothing of ${shown(over.join(", "))}; ${restoring}`];
}

function fateOf({ is_new: isNew, is_gone: isGone }: Counted): string {
  if (isGone) return ", which it took away";
  return isNew ? ", which it made" : "";
}

/** A unified diff behind its bar, in the colours of its signs. */
export function diffLines(
  diff: string,
  { width, style }: Pick<Screen, "width" | "style">,
): string[] {
  return barred(diff.trimEnd(), "  ", width).map((line) => coloured(line, style));
}

function coloured(line: string, style: Screen["style"]): string {
  if (line.startsWith("  | +")) return style.green(line);
  return line.startsWith("  | -") ? style.red(line) : line;
}

type Changed = Results["memory.restore"]["changed"];

export function changedText(changed: Changed): string {
  return changed
    .map((each) => `${shown(each.path)}: ${each.kind}, ${countsOf(each)} ${linesWord(each)}`)
    .join("\n");
}

function linesWord({ added, removed }: Counted): string {
  return added + removed === 1 ? "line" : "lines";
}

/** @param id the change that was taken back */
export function restoredText(changed: Changed, id: string): string {
  if (changed.length === 0)
    return `Nothing had to be changed: what ${shown(id)} did is taken back already.`;
  const told = changed.map((each) => `${shown(each.path)}: ${restoredOf(each)}`);
  return [...told, `\`statehive memory log\` shows it; ${shown(id)} itself stays there.`].join(
    "\n",
  );
}

function restoredOf(each: Changed[number]): string {
  const { kind, added, removed, is_new: isNew, is_gone: isGone } = each;
  if (kind !== "restore") return `what was saved by hand is kept, ${countsOf(each)}`;
  if (isGone) return `the file is gone, as there was none before (${counted(removed)})`;
  if (isNew) return `the file is there again, with ${counted(added)}`;
  const came = added === 0 ? [] : [`${counted(added)} came back`];
  const went = removed === 0 ? [] : [`${counted(removed)} went`];
  return [...came, ...went].join(", ");
}

function counted(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}

export function passagesText(passages: readonly ForgottenPassage[], width?: number): string {
  return passages
    .flatMap(({ path, line_start, line_end, text }) => [
      `${shown(path)}:${linesOf(line_start, line_end)}`,
      ...barred(text, "  ", width),
    ])
    .join("\n");
}

export function statsText(stats: MemoryStats, { width }: Screen): string {
  const { files, bytes, index, partitions, skipped } = stats;
  const rows: [string, string][] = [["files", `${files}, ${sizeOf(bytes)}`], ...indexRows(index)];
  const all = table(
    partitions,
    [
      { title: "PARTITION", cell: ({ partition }) => partition },
      { title: "FILES", cell: (row) => row.files },
      { title: "SIZE", cell: (row) => sizeOf(row.bytes) },
    ],
    { empty: "", width },
  );
  return [facts(rows, width), ...(all === "" ? [] : [all]), ...skippedLines(skipped)].join("\n");
}

function indexRows(index: MemoryStats["index"]): [string, string][] {
  if (index === null) return [["index", "none that can be read: the service makes it anew"]];
  const { chunks, bytes, embedder, trouble } = index;
  return [
    ["index", `${chunks} ${chunks === 1 ? "chunk" : "chunks"}, ${sizeOf(bytes)}`],
    ["embedder", embedder === null ? "none: found by words alone" : shown(embedder)],
    ...(embedder === null ? [] : [["vectors", vectorsText(index)] as [string, string]]),
    ...(trouble === null ? [] : [["trouble", shown(trouble)] as [string, string]]),
  ];
}

export function vectorsText({ chunks, embedded }: NonNullable<MemoryStats["index"]>): string {
  return embedded >= chunks ? `all ${chunks}` : `${embedded} of ${chunks}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1_048_576
    ? `${Math.round(bytes / 1024)} KiB`
    : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
