import { getNextTransitions } from "xstate";
import { reviveActor } from "./actor-cache.ts";
import type { ActorView } from "./engine.ts";
import type { MachineRegistry } from "./machine-registry.ts";
import type { ActorRow } from "./tables.ts";

/** An actor as people see it. */
export function viewActor(machines: MachineRegistry, row: ActorRow): ActorView {
  const { address, machine, version, parent, state, status, tags, since, seq, error } = row;
  return {
    address,
    machine,
    version,
    parent,
    state,
    status,
    tags,
    since,
    seq,
    error,
    context: row.snapshot.context,
    nextEvents: nextEventsOf(machines, row),
  };
}

function nextEventsOf(machines: MachineRegistry, row: ActorRow): string[] {
  const { state } = reviveActor(machines, row);
  if (state === undefined) return [];
  const types = new Set(getNextTransitions(state.snapshot).map(({ eventType }) => eventType));
  const asked = [...types].filter((type) => !type.startsWith("xstate.") && type !== "");
  return asked.toSorted((a, b) => (a < b ? -1 : 1));
}
