import type { Row } from "./row-list.ts";
import type { Happening, HiveModel } from "./hive-model.ts";
import { stateText } from "./details-view.ts";

/** What stands in the two lists. */

const mostRows = 400;

export function actorRows(model: HiveModel): readonly Row[] {
  const tree = model.tree();
  const rows = tree.slice(0, mostRows).map(({ actor, level }) => ({
    key: actor.address,
    level,
    kind: actor.endedAt === null ? "" : "ended",
    parts: [
      { kind: "name", text: actor.name },
      { kind: "state", text: stateText(actor.snapshot.value) },
    ],
  }));
  if (tree.length <= mostRows) return rows;
  const text = `${tree.length - mostRows} more: \`statehive inspect ADDRESS\` shows a part`;
  return [...rows, { key: "", level: 1, kind: "note", parts: [{ kind: "", text }] }];
}

/** Newest first. */
export function eventRows({ happenings, actors }: HiveModel): readonly Row[] {
  const nameOf = (address: string) => actors.get(address)?.name ?? lastNames(address);
  return happenings
    .slice(-mostRows)
    .toReversed()
    .map((happening) => eventRow(happening, nameOf));
}

function eventRow(happening: Happening, nameOf: (address: string) => string): Row {
  if (happening.kind === "note") {
    return { key: happening.key, kind: "note", parts: [{ kind: "", text: happening.text }] };
  }
  const { at, address, event, outcome, reason, state_before, state_after } = happening.step;
  const change =
    state_before === state_after ? `${state_after}` : `${state_before ?? "(new)"} → ${state_after}`;
  const fault = outcome === "handled" ? [] : [{ kind: "fault", text: `${outcome}: ${reason}` }];
  return {
    key: happening.key,
    kind: outcome === "handled" ? "" : "refused",
    parts: [
      { kind: "time", text: at.slice(11, 23) },
      { kind: "who", text: nameOf(address) },
      { kind: "event", text: event.type },
      { kind: "change", text: change },
      ...fault,
    ],
  };
}

/** `call/c7-0` of `session/…/run/r4/call/c7-0`. */
function lastNames(address: string): string {
  return address.split("/").slice(-2).join("/");
}
