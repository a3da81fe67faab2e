import type { ActorDetails } from "../../schema/shown/actor-view.ts";
import type { ChartDetails } from "../../schema/shown/chart-view.ts";
import type { Line, Span } from "../frame/frame.ts";
import { line, span } from "../frame/line.ts";
import { joined, own, repeated, safe, type SafeText } from "../frame/safe-text.ts";

type State = ChartDetails["states"][number];

/** A statechart as lines: states below the state that they belong to, those that are active marked, with what they take. */
export function outlineOf(chart: ChartDetails, { active }: Pick<ActorDetails, "active">): Line[] {
  const ofTheMachine = "";
  const activePaths = new Set([ofTheMachine, ...active]);
  return chart.states.flatMap((state) => stateLines(state, activePaths.has(state.path)));
}

const signs = {
  atomic: own``,
  compound: own``,
  parallel: own` ∥`,
  final: own` ▣`,
  history: own` H`,
};

function stateLines(state: State, isActive: boolean): Line[] {
  const indent = repeated(own`  `, state.depth);
  const glyph = isActive ? own`● ` : own`○ `;
  const invokes = state.invokes.length === 0 ? own`` : own`  ⚙ ${list(state.invokes)}`;
  const named: Line = [
    span(own`${indent}${glyph}${safe(state.key)}${signs[state.type]}`, nameStyle(isActive)),
    span(invokes, { fg: isActive ? "cyan" : "grey" }),
  ];
  if (!isActive) return [named];
  return [named, ...state.transitions.map((transition) => transitionLine(indent, transition))];
}

function nameStyle(isActive: boolean): NonNullable<Span["style"]> {
  return isActive ? { fg: "green", bold: true } : {};
}

function transitionLine(
  indent: SafeText,
  { trigger, guard, targets }: State["transitions"][number],
): Line {
  const condition = guard === null ? own`` : own` [${safe(guard)}]`;
  const leads = targets.length === 0 ? own`stays` : own`→ ${list(targets)}`;
  return [
    span(own`${indent}    ${safe(trigger)}`, { fg: "blue" }),
    span(own`${condition} `, { fg: "grey" }),
    span(leads),
  ];
}

function list(names: readonly string[]): SafeText {
  return joined(names.map(safe), own`, `);
}

/** What it takes now, what is timed, what works for it. */
export function nowLines(
  { next_events, timers, activities }: ActorDetails,
  left: (iso: string) => string,
): Line[] {
  const lines: Line[] = [];
  const takes = next_events.filter(({ pokeable }) => pokeable).map(({ type }) => type);
  lines.push(
    line(own`takes from a person: ${takes.length === 0 ? own`nothing` : list(takes)}`, {
      fg: "grey",
    }),
  );
  for (const { event, at } of timers)
    lines.push(line(own`timer ${safe(event)} in ${safe(left(at))}`, { fg: "grey" }));
  for (const { name, status, attempt, error } of activities) {
    const again = attempt > 1 ? own`, attempt ${attempt}` : own``;
    const why = error === null ? own`` : own`: ${safe(error.message)}`;
    lines.push(line(own`⚙ ${safe(name)} ${safe(status)}${again}${why}`, { fg: "cyan" }));
  }
  return lines;
}
