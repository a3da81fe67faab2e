import type { AnyStateMachine, AnyStateNode } from "xstate";
import { withAncestors, withDescendants } from "../../../scripts/machines/state-nodes.ts";

/** Eventless transitions must come to rest whatever their guards say, so any way back is a fault. */
export function alwaysCycleFaults(machine: AnyStateMachine): string[] {
  return withDescendants(machine.root)
    .filter((node) => isEventless(node) && reachable(node).has(node))
    .map((node) => `${node.id} comes back to itself through always transitions`);
}

const isEventless = (node: AnyStateNode): boolean => (node.always ?? []).length > 0;

function reachable(start: AnyStateNode): Set<AnyStateNode> {
  const found = new Set<AnyStateNode>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const fresh = eventlessSuccessors(node).filter((next) => !found.has(next));
    for (const next of fresh) found.add(next);
    open.push(...fresh);
  }
  return found;
}

/** The eventless nodes that are active after an eventless transition of `node`; one without target stays. */
function eventlessSuccessors(node: AnyStateNode): AnyStateNode[] {
  const targets = (node.always ?? []).flatMap(({ target }) => target ?? [node]);
  return targets
    .flatMap((target) => [...withAncestors(target), ...enteredBelow(target)])
    .filter(isEventless);
}

function enteredBelow(node: AnyStateNode): AnyStateNode[] {
  const children =
    node.type === "parallel" ? Object.values(node.states) : (node.initial?.target ?? []);
  return children.flatMap((child) => [child, ...enteredBelow(child)]);
}
