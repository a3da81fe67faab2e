import type { AnyStateNode, AnyTransitionDefinition } from "xstate";

/** What a transition is called in every drawing of a chart. */

/** Every transition that the node itself declares: by event, by time, by a child's end, and eventless. */
export function transitionsOf(node: AnyStateNode): AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

/** `call.changed`, `after runDeadline`, `done callModel`, `error callModel`, `done` or `always`. */
export function triggerOf({ eventType, source }: AnyTransitionDefinition): string {
  const delay = delayOf(source, eventType);
  if (delay !== undefined) return afterLabel(delay);
  if (eventType.startsWith("xstate.done.state.")) return "done";
  const activity = source.invoke.find(({ id }) => eventType.endsWith(`.actor.${id}`));
  const name =
    activity === undefined ? eventType.split(".").slice(3).join(".") : nameOf(activity.src);
  if (eventType.startsWith("xstate.done.actor.")) return `done ${name}`;
  if (eventType.startsWith("xstate.error.actor.")) return `error ${name}`;
  return eventType === "" ? "always" : eventType;
}

/** Of the delay whose end this event tells in this state: `runDeadline`. */
export function delayOf(node: AnyStateNode, eventType: string): string | undefined {
  const after = node.after.find((delayed) => delayed.eventType === eventType);
  return after === undefined ? undefined : String(after.delay);
}

export function afterLabel(delay: string): string {
  return `after ${delay}`;
}

/** Of an end, a deadline or an eventless transition: nobody sends these. */
export function isBuiltIn(eventType: string): boolean {
  return eventType === "" || eventType.startsWith("xstate.");
}

/** Below the machine: `working.calling`; empty for the machine itself. */
export function pathOf(node: AnyStateNode): string {
  return node.path.join(".");
}

export function guardOf({ guard }: AnyTransitionDefinition): string | undefined {
  return guard === undefined ? undefined : nameOf(guard);
}

export function actionsOf({ actions }: AnyTransitionDefinition): readonly string[] {
  return actions.map(nameOf);
}

/** Of a guard, an action or an activity. */
export function nameOf(named: unknown): string {
  if (typeof named === "string") return named;
  if (typeof named === "object" && named !== null && "type" in named) return String(named.type);
  return "unnamed";
}

export function withDescendants(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(withDescendants)];
}

/** Whether it has states of its own. */
export function isBlock(node: AnyStateNode): boolean {
  return Object.keys(node.states).length > 0;
}

/** Whether it leads from a block to a state within. */
export function leadsInside(node: AnyStateNode, { target }: AnyTransitionDefinition): boolean {
  const inside = withDescendants(node).slice(1);
  return (target ?? []).some((each) => inside.includes(each));
}
