import {
  type AnyMachineSnapshot,
  type AnyStateNode,
  type AnyTransitionDefinition,
  getNextTransitions,
} from "xstate";
import { leavesIn } from "../kernel/actor-state.ts";
import { isBuiltIn, nameOf, pathOf } from "../charts/chart-labels.ts";

/** What an actor accepts now, and where that may lead. */
export type NextEvent = {
  readonly type: string;
  /** Paths of states; of the present ones, where a transition leads to no other. */
  readonly targets: readonly string[];
};

/** By name. A guard is asked about the context alone: what it says then holds for every payload. One that asks for the payload,
 *  or for who sends it and when, may say either; so its transition is offered, and so are those behind it. */
export function nextEventsOf(snapshot: AnyMachineSnapshot): NextEvent[] {
  const transitions = getNextTransitions(snapshot);
  const types = new Set(transitions.map(({ eventType }) => eventType));
  return [...types]
    .filter((type) => !isBuiltIn(type))
    .map((type) => {
      const asked = transitions.filter(({ eventType }) => eventType === type);
      return { type, taken: possible(snapshot, asked) };
    })
    .filter(({ taken }) => taken.length > 0)
    .map(({ type, taken }) => ({ type, targets: targetsOf(snapshot, taken) }))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

/** Inner states come first, so one that is taken for sure leaves nothing to what stands behind it in its state and around it. */
function possible(
  snapshot: AnyMachineSnapshot,
  transitions: readonly AnyTransitionDefinition[],
): AnyTransitionDefinition[] {
  const settled: AnyStateNode[] = [];
  return transitions.filter((transition) => {
    const { source } = transition;
    if (settled.some((node) => node === source || isInside(node, source))) return false;
    const answer = guardSays(snapshot, transition);
    if (answer === "yes") settled.push(source);
    return answer !== "no";
  });
}

function isInside(node: AnyStateNode, outer: AnyStateNode): boolean {
  return node.parent !== undefined && (node.parent === outer || isInside(node.parent, outer));
}

type Guard = (
  asked: { readonly context: unknown; readonly event: unknown },
  params: unknown,
) => boolean;

function guardSays(
  { machine, context }: AnyMachineSnapshot,
  { guard, eventType }: AnyTransitionDefinition,
): "yes" | "no" | "it depends" {
  if (guard === undefined) return "yes";
  const { params } =
    typeof guard === "object" ? (guard as { params?: unknown }) : { params: undefined };
  const ask = machine.implementations.guards[nameOf(guard)] as Guard | undefined;
  if (ask === undefined || typeof params === "function") return "it depends";
  try {
    return ask({ context, event: eventWithoutPayload(eventType) }, params) ? "yes" : "no";
  } catch {
    return "it depends";
  }
}

/** Knows its type, and throws when it is asked for anything else. */
function eventWithoutPayload(type: string): object {
  const isUnknown = (): never => {
    throw new Error(`the payload of ${type} is not known yet`);
  };
  return new Proxy(
    { type },
    {
      get: (event, key) => (key === "type" ? event.type : isUnknown()),
      has: (_, key) => key === "type" || isUnknown(),
      ownKeys: isUnknown,
      getOwnPropertyDescriptor: isUnknown,
    },
  );
}

function targetsOf(
  snapshot: AnyMachineSnapshot,
  transitions: readonly AnyTransitionDefinition[],
): string[] {
  const present = leavesIn(snapshot.value);
  const paths = transitions.flatMap(({ target }) => target?.map(pathOf) ?? present);
  return [...new Set(paths)];
}
