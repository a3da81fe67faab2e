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
} from "./chart-labels.ts";

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

const idOf = (node: AnyStateNode): string => node.id.replaceAll(/\W/g, "__");
const anyOf = (node: AnyStateNode): string => `${idOf(node)}__any`;

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

function effects(transition: AnyTransitionDefinition): string {
  const actions = actionsOf(transition);
  return actions.length === 0 ? "" : ` / ${actions.join(", ")}`;
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

function label(transition: AnyTransitionDefinition): string {
  const guard = guardOf(transition);
  const trigger = triggerOf(transition);
  return guard === undefined ? trigger : `${trigger} [${guard}]`;
}
