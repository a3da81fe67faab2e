import type { AnyStateMachine, AnyStateNode } from "xstate";
import { transitionsOf, withDescendants } from "../../../scripts/machines/state-nodes.ts";

type Kind = "actions" | "guards" | "actors" | "delays";
type Reference = { readonly kind: Kind; readonly named: unknown; readonly where: string };

/** The keys of a chart that may hold code; everything else is a name. */
const codeKeys = new Set(["context", "input", "output", "params"]);

/** Everything that a chart does is a name that `setup` declares. */
export function referenceFaults(machine: AnyStateMachine): string[] {
  return [...inlineFunctions(machine.config, "machine"), ...undeclaredNames(machine)];
}

function inlineFunctions(value: unknown, path: string): string[] {
  if (typeof value === "function") return [`${path} is code, not a name`];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => !codeKeys.has(key))
    .flatMap(([key, child]) => inlineFunctions(child, `${path}.${key}`));
}

function undeclaredNames(machine: AnyStateMachine): string[] {
  const declared = machine.implementations;
  return withDescendants(machine.root)
    .flatMap(referencesOf)
    .filter(({ named }) => typeof named !== "function")
    .flatMap(({ kind, named, where }) => {
      const name = nameOf(named);
      if (name === undefined)
        return [`${where} has ${String(named)} where the name of one of its ${kind} belongs`];
      return name in declared[kind]
        ? []
        : [`${where} names ${name}, which setup lacks among its ${kind}`];
    });
}

function nameOf(named: unknown): string | undefined {
  if (typeof named === "string") return named;
  if (typeof named !== "object" || named === null || !("type" in named)) return undefined;
  return typeof named.type === "string" ? named.type : undefined;
}

function referencesOf(node: AnyStateNode): Reference[] {
  const transitions = [
    ...transitionsOf(node),
    ...(node.initial === undefined ? [] : [node.initial]),
  ];
  const refer = (kind: Kind, names: readonly unknown[]): Reference[] =>
    names.map((named) => ({ kind, named, where: node.id }));
  return [
    ...refer("actions", [
      ...node.entry,
      ...node.exit,
      ...transitions.flatMap(({ actions }) => actions),
    ]),
    ...refer(
      "guards",
      transitions.map(({ guard }) => guard).filter((guard) => guard !== undefined),
    ),
    ...refer(
      "actors",
      node.invoke.map(({ src }) => src),
    ),
    ...refer(
      "delays",
      node.after.map(({ delay }) => delay),
    ),
  ];
}
