import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";

/** The node and everything below it, in the order of the chart. */
export function withDescendants(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(withDescendants)];
}

/** Every state of a machine but its root. */
export function statesOf(machine: AnyStateMachine): AnyStateNode[] {
  return withDescendants(machine.root).slice(1);
}

/** The node, its parent, and so on to the root. */
export function withAncestors(node: AnyStateNode): AnyStateNode[] {
  return node.parent === undefined ? [node] : [node, ...withAncestors(node.parent)];
}

/** The states in which an actor can wait for an event. */
export function waitingStates(machine: AnyStateMachine): AnyStateNode[] {
  return statesOf(machine).filter(({ type }) => type === "atomic");
}

/** Every transition that the node itself declares: by event, by time, by a child's end, and eventless. */
export function transitionsOf(node: AnyStateNode): AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

/** The events that a machine's chart names, without those that XState makes. */
export function eventsOf(machine: AnyStateMachine): string[] {
  return machine.events.map(String).filter((event) => !event.startsWith("xstate."));
}
