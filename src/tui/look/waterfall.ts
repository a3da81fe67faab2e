import { took } from "../../text/times.ts";
import type { Line, Style } from "../frame/frame.ts";
import { fitLine, line, span } from "../frame/line.ts";
import { own, repeated, safe } from "../frame/safe-text.ts";
import type { Bar } from "../model/trace-bars.ts";

/** Bars over a common time, one a row: its name, its time, how long it took. */

const nameShare = 0.34;
const widestName = 36;
const tookWidth = 7;
const gap = 1;

const looks: { readonly [kind in Bar["kind"]]: { readonly fill: "█" | "▒" | "─"; style: Style } } =
  {
    run: { fill: "─", style: {} },
    step: { fill: "█", style: { fg: "cyan" } },
    tool: { fill: "█", style: { fg: "green" } },
    person: { fill: "▒", style: { fg: "yellow" } },
  };
const fills = { "█": own`█`, "▒": own`▒`, "─": own`─` } as const;
const badStates = new Set(["failed", "denied", "expired", "cancelled", "outcome_unknown"]);

export function waterfallLines(bars: readonly Bar[], width: number, now: number): Line[] {
  if (bars.length === 0) return [];
  const nameWidth = Math.min(widestName, Math.floor(width * nameShare));
  const room = Math.max(4, width - nameWidth - tookWidth - 2 * gap);
  const start = Math.min(...bars.map(({ from }) => from));
  const end = Math.max(start + 1, ...bars.map(({ to }) => to ?? now));
  const cellAt = (time: number) => ((time - start) / (end - start)) * room;
  return bars.map((bar) => {
    const from = Math.min(room - 1, Math.floor(cellAt(bar.from)));
    const to = Math.max(from + 1, Math.min(room, Math.round(cellAt(bar.to ?? now))));
    const { fill, style } = looks[bar.kind];
    const isBad = badStates.has(bar.state);
    const drawn = repeated(fills[fill], to - from - (bar.to === null ? 1 : 0));
    return [
      ...fitLine(nameOf(bar, isBad), nameWidth),
      span(repeated(own` `, gap + from)),
      span(bar.to === null ? own`${drawn}▶` : drawn, isBad ? { fg: "red" } : style),
      span(repeated(own` `, room - to + gap)),
      ...tookSpans(bar, now),
    ];
  });
}

function nameOf({ depth, name, state }: Bar, isBad: boolean): Line {
  return [
    span(own`${repeated(own`  `, depth)}${safe(name)}`, depth === 0 ? { bold: true } : {}),
    span(own` ${safe(state)}`, { fg: isBad ? "red" : "grey" }),
  ];
}

function tookSpans({ from, to }: Bar, now: number): Line {
  const text = took((to ?? now) - from);
  return [span(safe(text.padStart(tookWidth)), { fg: "grey" })];
}

/** What the bars mean. */
export const legend: Line = [
  ...line(own`█ model or step  `, { fg: "cyan" }),
  ...line(own`█ tool  `, { fg: "green" }),
  ...line(own`▒ a person is asked  `, { fg: "yellow" }),
  ...line(own`▶ goes on`),
];
