import elk, { type ElkPoint } from "elkjs/lib/elk.bundled.js";
import type { AnyStateMachine } from "xstate";
import { type ChartEdge, chartGraph, type ChartGraph, type ChartNode } from "./chart-graph.ts";
import { chartStyle } from "./chart-style.ts";
import { escaped, sizes, textWidth } from "./chart-text.ts";

/** Draws a machine: one picture that reads on light and dark ground, without a script, the same for the same chart.
 *  `data-id` is a state's id; `data-from`, `data-to` and `data-events` say whose transition an arrow is. */
export async function toSvg(machine: AnyStateMachine): Promise<string> {
  const graph = (await new elk.default().layout(chartGraph(machine))) as ChartGraph;
  const margin = 8;
  const [width, height] = [Math.ceil(graph.width ?? 0), Math.ceil(graph.height ?? 0)];
  const box = [-margin, -margin, width + 2 * margin, height + 2 * margin];
  const title = `${machine.id}, version ${machine.version ?? "-"}`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(" ")}" width="${box[2]}" height="${box[3]}" role="img" aria-labelledby="chart-title chart-desc" font-size="${sizes.font}">`,
    `<title id="chart-title">${escaped(title)}</title>`,
    `<desc id="chart-desc">${escaped(machine.root.description ?? `The statechart ${machine.id}.`)}</desc>`,
    `<style>${chartStyle}</style>`,
    `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0,0.5L8,4L0,7.5z"/></marker></defs>`,
    `<rect class="ground" x="${box[0]}" y="${box[1]}" width="${box[2]}" height="${box[3]}"/>`,
    ...graph.children.flatMap((child) => nodeParts(child, { x: graph.x ?? 0, y: graph.y ?? 0 })),
    ...graph.edges.map(edgeLine),
    ...graph.edges.map(edgeLabel).filter((label) => label !== ""),
    "</svg>",
  ].join("\n")}\n`;
}

function nodeParts(node: ChartNode, origin: ElkPoint): string[] {
  const at = { x: origin.x + (node.x ?? 0), y: origin.y + (node.y ?? 0) };
  return [nodePart(node, at), ...(node.children ?? []).flatMap((child) => nodeParts(child, at))];
}

function nodePart(node: ChartNode, { x, y }: ElkPoint): string {
  const { kind, state, width = 0, height = 0 } = node;
  if (kind === "initial") {
    return `<circle class="initial" cx="${number(x + 6)}" cy="${number(y + 6)}" r="5"/>`;
  }
  if (kind === "any")
    return `<g class="any">${rectangle({ x, y, width, height })}${lines(node, { x, y })}</g>`;
  const classes = ["state", state.type, ...state.tags].join(" ");
  const told =
    state.description === undefined ? "" : `<title>${escaped(state.description)}</title>`;
  const inner = { x: x + 3, y: y + 3, width: width - 6, height: height - 6 };
  const second = state.type === "final" ? rectangle(inner, "inner") : "";
  return `<g class="${escaped(classes)}" data-id="${escaped(state.id)}">${told}${rectangle({ x, y, width, height })}${second}${lines(node, { x, y })}</g>`;
}

type Box = ElkPoint & { readonly width: number; readonly height: number };

function rectangle({ x, y, width, height }: Box, name?: string): string {
  const named = name === undefined ? "" : ` class="${name}"`;
  return `<rect${named} x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" rx="7"/>`;
}

function lines(node: ChartNode, { x, y }: ElkPoint): string {
  const [name = "", ...inner] = node.lines;
  const at = { x: x + sizes.padding, y: y + sizes.padding };
  return (
    textLine(name, at, "name") +
    textLines(inner, { x: at.x, y: at.y + sizes.line }, (line) =>
      textLine(line.text, line, "inner"),
    )
  );
}

type Line = ElkPoint & { readonly text: string };

/** Leading blanks become a place, since not every viewer keeps them. */
function textLines(
  texts: readonly string[],
  { x, y }: ElkPoint,
  draw: (line: Line) => string,
): string {
  return texts
    .map((text, index) => {
      const blanks = text.length - text.trimStart().length;
      return draw({
        text: text.trim(),
        x: x + textWidth([" "]) * blanks,
        y: y + index * sizes.line,
      });
    })
    .join("");
}

function textLine(text: string, { x, y }: ElkPoint, name: string): string {
  return `<text class="${name}" x="${number(x)}" y="${number(y + sizes.font - 2)}">${escaped(text)}</text>`;
}

/** The trigger, with its guard in a colour of its own. */
function labelLine({ text, x, y }: Line): string {
  const [, trigger = "", guard = ""] = /^([^[]*)(.*)$/s.exec(text) ?? [];
  const gap = trigger === "" ? "" : ` dx="${number(textWidth([" "]))}"`;
  const parts = [
    ...(trigger === "" ? [] : [`<tspan class="trigger">${escaped(trigger.trimEnd())}</tspan>`]),
    ...(guard === "" ? [] : [`<tspan class="guard"${gap}>${escaped(guard)}</tspan>`]),
  ];
  return `<text x="${number(x)}" y="${number(y + sizes.font - 2)}">${parts.join("")}</text>`;
}

function edgeLine(edge: ChartEdge): string {
  const paths = (edge.sections ?? []).map(({ startPoint, bendPoints = [], endPoint }) =>
    rounded(inDirection(edge, [startPoint, ...bendPoints, endPoint])),
  );
  return `<path class="transition"${whose(edge)} d="${paths.join("")}" marker-end="url(#arrow)"/>`;
}

function inDirection({ isReversed }: ChartEdge, points: ElkPoint[]): ElkPoint[] {
  return isReversed ? points.toReversed() : points;
}

function edgeLabel(edge: ChartEdge): string {
  const [label] = edge.labels ?? [];
  if (label === undefined) return "";
  const at = { x: (label.x ?? 0) + 2, y: label.y ?? 0 };
  return `<g class="label"${whose(edge)}>${textLines(edge.lines, at, labelLine)}</g>`;
}

function whose({ from, to, events }: ChartEdge): string {
  if (events.length === 0) return "";
  return ` data-from="${escaped(from)}" data-to="${escaped(to)}" data-events="${escaped(events.join(" "))}"`;
}

const cornerRadius = 5;

/** A line through the points with its corners rounded. */
function rounded(points: readonly ElkPoint[]): string {
  return points
    .map((point, index) => {
      const [before, after] = [points[index - 1], points[index + 1]];
      if (before === undefined) return `M${place(point)}`;
      if (after === undefined) return `L${place(point)}`;
      return `L${place(towards(point, before))}Q${place(point)} ${place(towards(point, after))}`;
    })
    .join("");
}

function towards(from: ElkPoint, to: ElkPoint): ElkPoint {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : Math.min(cornerRadius, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

const place = ({ x, y }: ElkPoint): string => `${number(x)},${number(y)}`;

/** At most two decimals, so that the last bit of a sum changes no file. */
function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
