import type { AnyStateMachine, AnyStateNode } from "xstate";
import {
  eventsOf,
  statesOf,
  transitionsOf,
  waitingStates,
  withAncestors,
  withDescendants,
} from "../../../scripts/machines/state-nodes.ts";

/** No event of a machine is dropped by accident, and no end of a child goes unheard. */
export function eventFaults(machine: AnyStateMachine): string[] {
  return [
    ...wildcards(machine),
    ...unansweredEvents(machine),
    ...idleIgnores(machine),
    ...unheardChildren(machine),
    ...unheardFailures(machine),
  ];
}

function wildcards(machine: AnyStateMachine): string[] {
  return withDescendants(machine.root)
    .flatMap(({ transitions }) => [...transitions.keys()])
    .filter((event) => event.includes("*"))
    .map((event) => `the handler '${event}' takes events that it does not name`);
}

function handles(node: AnyStateNode, event: string): boolean {
  return withAncestors(node).some(({ transitions }) => transitions.has(event));
}

/** Without a guard nothing is left to ignore; with one, the reason says why the guard may refuse. */
function alwaysHandles(node: AnyStateNode, event: string): boolean {
  return withAncestors(node).some(({ transitions }) =>
    (transitions.get(event) ?? []).some(({ guard }) => guard === undefined),
  );
}

/** What `meta.ignores` of a state declares: the event and the reason. */
function ignoresOf(node: AnyStateNode): Readonly<Record<string, unknown>> {
  const meta: unknown = node.meta;
  if (typeof meta !== "object" || meta === null || !("ignores" in meta)) return {};
  return (meta.ignores ?? {}) as Record<string, unknown>;
}

function ignores(node: AnyStateNode, event: string): boolean {
  return withAncestors(node).some((ancestor) => event in ignoresOf(ancestor));
}

function unansweredEvents(machine: AnyStateMachine): string[] {
  return waitingStates(machine).flatMap((node) =>
    eventsOf(machine)
      .filter((event) => !event.includes("*") && !handles(node, event) && !ignores(node, event))
      .map((event) => `${node.id} neither handles nor ignores ${event}`),
  );
}

function idleIgnores(machine: AnyStateMachine): string[] {
  const events = new Set(eventsOf(machine));
  return withDescendants(machine.root).flatMap((node) =>
    Object.entries(ignoresOf(node)).flatMap(([event, reason]) => {
      if (typeof reason !== "string" || reason.trim() === "")
        return [`${node.id} ignores ${event} without a reason`];
      if (!events.has(event)) return [`${node.id} ignores ${event}, which no state handles`];
      return alwaysHandles(node, event)
        ? [`${node.id} ignores ${event}, but always handles it`]
        : [];
    }),
  );
}

function unheardChildren(machine: AnyStateMachine): string[] {
  return withDescendants(machine.root).flatMap((node) =>
    node.invoke.flatMap(({ id }) => {
      const faults: string[] = [];
      if (!node.transitions.has(`xstate.done.actor.${id}`))
        faults.push(`${node.id} invokes ${id} without onDone`);
      if (!handles(node, `xstate.error.actor.${id}`))
        faults.push(`${node.id} invokes ${id} without onError`);
      return faults;
    }),
  );
}

function namesSpawn(action: unknown): boolean {
  if (action === "spawnActor") return true;
  return (
    typeof action === "object" &&
    action !== null &&
    "type" in action &&
    action.type === "spawnActor"
  );
}

function spawns(node: AnyStateNode): boolean {
  const ofTransitions = transitionsOf(node).flatMap(({ actions }) => actions);
  return [...node.entry, ...node.exit, ...ofTransitions].some(namesSpawn);
}

function unheardFailures(machine: AnyStateMachine): string[] {
  if (!withDescendants(machine.root).some(spawns)) return [];
  return statesOf(machine)
    .filter((node) => node.type === "atomic" && !handles(node, "actor.failed"))
    .map((node) => `${node.id} does not handle actor.failed, though the machine spawns actors`);
}
