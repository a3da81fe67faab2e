import type { ActorStateRow } from "../../schema/shown/actor-view.ts";
import { displayWidth, fit } from "../../text/text-width.ts";
import { shown } from "../../text/shown.ts";
import type { Style } from "./style.ts";
import { age } from "../../text/times.ts";

type Looks = { readonly style: Style; readonly now: number; readonly width: number | undefined };
type Line = { readonly name: string; readonly row: ActorStateRow };

/** Children stand below their parent, without its address; those whose parent is not shown stand at the left. */
export function actorTree(rows: readonly ActorStateRow[], { style, now, width }: Looks): string {
  if (rows.length === 0) return "No actor lives there.";
  const lines = branches(rows);
  const nameWidth = Math.max(...lines.map(({ name }) => displayWidth(name)));
  const stateWidth = Math.max(...rows.map(({ state }) => state.length));
  return lines
    .map(({ name, row }) => {
      const padded = name + " ".repeat(nameWidth - displayWidth(name));
      const state = shown(row.state).padEnd(stateWidth);
      const line = `${padded}  ${state}  ${age(row.since, now)}${statusOf(row)}${tagsOf(row)}`;
      const fitted = width === undefined ? line : fit(line, width);
      return row.status === "quarantined" ? style.red(fitted) : fitted;
    })
    .join("\n");
}

function statusOf({ status, state }: ActorStateRow): string {
  return status === "active" || status === state ? "" : `  ${status}`;
}

function tagsOf({ tags }: ActorStateRow): string {
  const telling = tags.filter((tag) => tag !== "terminal");
  return telling.length === 0 ? "" : `  [${shown(telling.join(" "))}]`;
}

function branches(rows: readonly ActorStateRow[]): Line[] {
  const addresses = new Set(rows.map(({ address }) => address));
  const childrenOf = new Map<string | null, ActorStateRow[]>();
  for (const row of rows) {
    const parent = row.parent !== null && addresses.has(row.parent) ? row.parent : null;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), row]);
  }
  const below = (parent: string | null, indent: string): Line[] =>
    (childrenOf.get(parent) ?? []).flatMap((row) => [
      { name: `${indent}${shown(nameBelow(row.address, parent))}`, row },
      ...below(row.address, `${indent}  `),
    ]);
  return below(null, "");
}

function nameBelow(address: string, parent: string | null): string {
  return parent !== null && address.startsWith(`${parent}/`)
    ? address.slice(parent.length + 1)
    : address;
}
