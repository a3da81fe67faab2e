import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";

/** Draws a machine as a Mermaid stateDiagram-v2; pure, and the same for the same chart.
 *
 *  Transitions stand after all states, since Mermaid would move a state into the block that mentions it first. Mermaid
 *  draws none from a block to its own inside, so those start at a small state that says "in any state of". */
export function toMermaid(machine: AnyStateMachine): string {
  return [
    "stateDiagram-v2",
    ...anyState(machine.root, "  "),
    ...block(machine.root, "  "),
    ...withDescendants(machine.root).flatMap(edges),
  ].join("\n");
}

function withDescendants(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(withDescendants)];
}

const idOf = (node: AnyStateNode): string => node.id.replaceAll(/\W/g, "__");
const anyOf = (node: AnyStateNode): string => `${idOf(node)}__any`;
const isBlock = (node: AnyStateNode): boolean => Object.keys(node.states).length > 0;

function block(node: AnyStateNode, indent: string): string[] {
  const children = Object.values(node.states);
  const initial = node.type === "compound" ? (node.initial?.target ?? []) : [];
  const separator = node.type === "parallel" ? [`${indent}--`] : [];
  return [
    ...initial.map((target) => `${indent}[*] --> ${idOf(target)}`),
    ...children.flatMap((child, index) => [
      ...(index === 0 ? [] : separator),
      ...state(child, indent),
    ]),
  ];
}

function state(node: AnyStateNode, indent: string): string[] {
  const title = `${indent}state "${node.key}" as ${idOf(node)}`;
  if (isBlock(node)) {
    const inner = `${indent}  `;
    return [`${title} {`, ...anyState(node, inner), ...block(node, inner), `${indent}}`];
  }
  const end = node.type === "final" ? [`${indent}${idOf(node)} --> [*]`] : [];
  return [title, ...innerLines(node, idOf(node), indent), ...end];
}

/** What a state says inside its box: its activities, the events it takes without leaving, and ways back to the start
 *  of a block around it, which Mermaid cannot draw. */
function innerLines(node: AnyStateNode, id: string, indent: string): string[] {
  const activities = node.invoke.map(({ src }) => `do / ${nameOf(src)}`);
  const internal = transitionsOf(node)
    .filter(({ target }) => target === undefined)
    .map((transition) => `${label(transition)}${effects(transition)}`);
  const restarts = transitionsOf(node).flatMap((transition) =>
    (transition.target ?? [])
      .filter((target) => surrounds(target, node))
      .map((target) => `${label(transition)} / enter ${target.key} again`),
  );
  return [...activities, ...internal, ...restarts].map((line) => `${indent}${id} : ${line}`);
}

function effects({ actions }: AnyTransitionDefinition): string {
  return actions.length === 0 ? "" : ` / ${actions.map(nameOf).join(", ")}`;
}

function anyState(node: AnyStateNode, indent: string): string[] {
  const lines = innerLines(node, anyOf(node), indent);
  const startsHere = transitionsOf(node).some((transition) => leadsInside(node, transition));
  if (lines.length === 0 && !startsHere) return [];
  return [`${indent}state "in any state of ${node.key}" as ${anyOf(node)}`, ...lines];
}

function edges(node: AnyStateNode): string[] {
  return transitionsOf(node).flatMap((transition) => {
    const from = leadsInside(node, transition) ? anyOf(node) : idOf(node);
    const drawable = (transition.target ?? []).filter((target) => !surrounds(target, node));
    return drawable.map((target) => `  ${from} --> ${idOf(target)} : ${label(transition)}`);
  });
}

/** Whether `outer` has states of its own and `node` is it or one of them. */
function surrounds(outer: AnyStateNode, node: AnyStateNode): boolean {
  return isBlock(outer) && withDescendants(outer).includes(node);
}

function leadsInside(node: AnyStateNode, { target }: AnyTransitionDefinition): boolean {
  const inside = withDescendants(node).slice(1);
  return (target ?? []).some((each) => inside.includes(each));
}

function transitionsOf(node: AnyStateNode): AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

function label({ eventType, guard, source }: AnyTransitionDefinition): string {
  const trigger = triggerOf(eventType, source);
  return guard === undefined ? trigger : `${trigger} [${nameOf(guard)}]`;
}

function triggerOf(eventType: string, source: AnyStateNode): string {
  const after = source.after.find((delayed) => delayed.eventType === eventType);
  if (after !== undefined) return `after ${String(after.delay)}`;
  if (eventType.startsWith("xstate.done.state.")) return "done";
  const activity = source.invoke.find(({ id }) => eventType.endsWith(`.actor.${id}`));
  const name =
    activity === undefined ? eventType.split(".").slice(3).join(".") : nameOf(activity.src);
  if (eventType.startsWith("xstate.done.actor.")) return `done ${name}`;
  if (eventType.startsWith("xstate.error.actor.")) return `error ${name}`;
  return eventType === "" ? "always" : eventType;
}

function nameOf(named: unknown): string {
  if (typeof named === "string") return named;
  if (typeof named === "object" && named !== null && "type" in named) return String(named.type);
  return "unnamed";
}
