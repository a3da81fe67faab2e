import type { ShownMemoryHit } from "../../schema/shown/shown-memory.ts";
import type { Line } from "../frame/frame.ts";
import { blank, line, span } from "../frame/line.ts";
import { own, safe, type SafeText, wrapped } from "../frame/safe-text.ts";

/** How what was found in memory looks. */

/** A past task has no lines. */
export function placeOf({ kind, path, line_start, line_end }: ShownMemoryHit): SafeText {
  if (kind === "task") return safe(path);
  const last = line_end === line_start ? own`` : own`-${line_end}`;
  return own`${safe(path)}:${line_start}${last}`;
}

export function hitLine(hit: ShownMemoryHit): Line {
  const [first = ""] = hit.text.trim().split("\n", 1);
  return [
    span(own` ${safe(hit.score.toFixed(2))} `, { fg: "cyan" }),
    span(own` ${placeOf(hit)} `, { bold: true }),
    span(own` ${safe(first)}`),
  ];
}

/** The whole memory. */
export function hitLines(hit: ShownMemoryHit, width: number): Line[] {
  const { heading, origins, agent, score, text } = hit;
  const facts: readonly (readonly [SafeText, string])[] = [
    [own`score`, score.toFixed(2)],
    [own`agent`, agent ?? "all"],
    [own`below`, heading],
    [own`from`, origins.join(", ")],
  ];
  return [
    ...facts.flatMap(([name, value]) =>
      value === ""
        ? []
        : wrapped(own`${name} ${safe(value)}`, width).map((each) => line(each, { fg: "grey" })),
    ),
    blank,
    ...text
      .trimEnd()
      .split("\n")
      .flatMap((each) => wrapped(safe(each), width))
      .map((each) => line(each)),
  ];
}
