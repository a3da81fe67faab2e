import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";
import {
  actionsOf,
  guardOf,
  isBlock,
  leadsInside,
  nameOf,
  transitionsOf,
  triggerOf,
  withDescendants,
} from "../../src/engine/charts/chart-labels.ts";
import { sizes, textWidth } from "./chart-text.ts";

/** A machine as the graph that ELK lays out; positions come later, from it. */

export type ChartNode = Omit<ElkNode, "children"> & {
  readonly kind: "state" | "block" | "initial" | "any";
  readonly state: AnyStateNode;
  /** What stands in the box: the name, then what the state does and takes. */
  readonly lines: readonly string[];
  readonly children?: ChartNode[];
};

export type ChartEdge = ElkExtendedEdge & {
  /** The ids of the two states. */
  readonly from: string;
  readonly to: string;
  /** Laid out against its direction, so that what comes first in the chart stands above. */
  readonly isReversed: boolean;
  /** Of all transitions between the same two states. */
  readonly lines: readonly string[];
  readonly events: readonly string[];
};

export type ChartGraph = Omit<ElkNode, "children" | "edges"> & {
  readonly children: ChartNode[];
  readonly edges: ChartEdge[];
};

const layout = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.json.edgeCoords": "ROOT",
  "elk.layered.spacing.nodeNodeBetweenLayers": "28",
  "elk.layered.spacing.edgeNodeBetweenLayers": "16",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "12",
  "elk.spacing.nodeNode": "32",
  "elk.spacing.edgeNode": "18",
  "elk.spacing.edgeEdge": "14",
  "elk.spacing.edgeLabel": "4",
  "elk.spacing.nodeSelfLoop": "16",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
};

export function chartGraph(machine: AnyStateMachine): ChartGraph {
  return {
    id: "chart",
    layoutOptions: layout,
    children: [blockNode(machine.root)],
    edges: edgesBelow(machine.root, withDescendants(machine.root)),
  };
}

const anyId = (node: AnyStateNode): string => `${node.id}:any`;
const initialId = (node: AnyStateNode): string => `${node.id}:initial`;

function stateNode(state: AnyStateNode): ChartNode {
  if (isBlock(state)) return blockNode(state);
  return boxed("state", state, [state.key, ...innerLines(state)]);
}

function blockNode(state: AnyStateNode): ChartNode {
  const inner = innerLines(state);
  const startsHere = transitionsOf(state).some((transition) => leadsInside(state, transition));
  const children = [
    ...(state.type === "compound" ? [dot(state)] : []),
    ...(startsHere || inner.length > 0 ? [anyNode(state, inner)] : []),
    ...Object.values(state.states).map(stateNode),
  ];
  const lines = [state.key];
  return {
    id: state.id,
    kind: "block",
    state,
    lines,
    children,
    layoutOptions: {
      "elk.padding": `[top=${sizes.line + 22},left=18,bottom=18,right=18]`,
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      "elk.nodeSize.minimum": `(${Math.ceil(textWidth(lines) + 2 * sizes.padding)},0)`,
    },
  };
}

/** Where transitions of a block to its own inside begin. */
function anyNode(state: AnyStateNode, inner: readonly string[]): ChartNode {
  return { ...boxed("any", state, ["in any state", ...inner]), id: anyId(state) };
}

function dot(state: AnyStateNode): ChartNode {
  return { id: initialId(state), kind: "initial", state, lines: [], width: 12, height: 12 };
}

function boxed(kind: "state" | "any", state: AnyStateNode, lines: readonly string[]): ChartNode {
  const width = Math.max(90, Math.ceil(textWidth(lines)) + 2 * sizes.padding);
  const height = lines.length * sizes.line + 2 * sizes.padding - 4;
  return { id: state.id, kind, state, lines, width, height };
}

/** What a state does, the events that it takes without leaving, and ways back to the start of a block around it. */
function innerLines(state: AnyStateNode): string[] {
  const activities = state.invoke.map(({ src }) => `do ${nameOf(src)}`);
  const told = transitionsOf(state).flatMap((transition) => {
    const [around] = transition.target ?? [];
    if (around === undefined) return wrapped(transition, actionsOf(transition));
    return surrounds(around, state) ? wrapped(transition, [`enter ${around.key} again`]) : [];
  });
  return [...activities, ...told];
}

function surrounds(outer: AnyStateNode, state: AnyStateNode): boolean {
  return isBlock(outer) && withDescendants(outer).includes(state);
}

/** The trigger, then the guard and the actions, on lines of their own where one would be too long. */
function wrapped(transition: AnyTransitionDefinition, actions: readonly string[]): string[] {
  const guard = guardOf(transition);
  const parts = [
    triggerOf(transition),
    ...(guard === undefined ? [] : [`[${guard}]`]),
    ...(actions.length === 0 ? [] : [`/ ${actions.join(", ")}`]),
  ];
  return parts.reduce<string[]>((lines, part) => {
    const last = lines.at(-1);
    if (last === undefined) return [part];
    const joined = `${last} ${part}`;
    if (joined.length <= sizes.longestLine) return [...lines.slice(0, -1), joined];
    return [...lines, `  ${part}`];
  }, []);
}

function edgesBelow(state: AnyStateNode, order: readonly AnyStateNode[]): ChartEdge[] {
  return [
    ...initialEdges(state),
    ...ownEdges(state, order),
    ...Object.values(state.states).flatMap((child) => edgesBelow(child, order)),
  ];
}

function initialEdges(state: AnyStateNode): ChartEdge[] {
  if (state.type !== "compound") return [];
  return (state.initial?.target ?? []).map(({ id }) => ({
    id: `${initialId(state)}->${id}`,
    from: state.id,
    to: id,
    sources: [initialId(state)],
    targets: [id],
    isReversed: false,
    lines: [],
    events: [],
  }));
}

/** One edge for all transitions between the same two states, in the order of the chart. */
function ownEdges(state: AnyStateNode, order: readonly AnyStateNode[]): ChartEdge[] {
  const byTarget = new Map<AnyStateNode, AnyTransitionDefinition[]>();
  for (const transition of transitionsOf(state)) {
    for (const target of transition.target ?? []) {
      if (surrounds(target, state)) continue;
      byTarget.set(target, [...(byTarget.get(target) ?? []), transition]);
    }
  }
  return [...byTarget].map(([target, transitions]) => {
    const start = transitions.some((each) => leadsInside(state, each)) ? anyId(state) : state.id;
    const isReversed = start === state.id && order.indexOf(target) < order.indexOf(state);
    const lines = transitions.flatMap((transition) => wrapped(transition, []));
    const label = {
      text: lines.join("\n"),
      width: Math.ceil(textWidth(lines)) + 4,
      height: lines.length * sizes.line,
    };
    return {
      id: `${start}->${target.id}`,
      from: state.id,
      to: target.id,
      sources: [isReversed ? target.id : start],
      targets: [isReversed ? start : target.id],
      isReversed,
      labels: [label],
      lines,
      events: [...new Set(transitions.map(({ eventType }) => eventType))],
    };
  });
}
