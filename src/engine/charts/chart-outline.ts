import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";
import type { ChartState, ChartTransition } from "../../schema/shown/chart-view.ts";
import {
  actionsOf,
  guardOf,
  nameOf,
  pathOf,
  transitionsOf,
  triggerOf,
  withDescendants,
} from "./chart-labels.ts";

/** A chart as a list: the machine, then its states in order, each before those within it. */
export function outlineOf(machine: AnyStateMachine): ChartState[] {
  return withDescendants(machine.root).map((node) => ({
    path: pathOf(node),
    key: node.key,
    depth: node.path.length,
    type: node.type,
    initial: isInitial(node),
    description: node.description ?? "",
    tags: node.tags,
    invokes: node.invoke.map(({ src }) => nameOf(src)),
    transitions: transitionsOf(node).map(shownTransition),
  }));
}

function isInitial(node: AnyStateNode): boolean {
  const { parent } = node;
  return parent?.type === "compound" && (parent.initial?.target ?? []).includes(node);
}

function shownTransition(transition: AnyTransitionDefinition): ChartTransition {
  return {
    trigger: triggerOf(transition),
    event: transition.eventType,
    guard: guardOf(transition) ?? null,
    targets: (transition.target ?? []).map(pathOf),
    actions: actionsOf(transition),
  };
}
