import { getNextTransitions } from "xstate";
import { fromStored } from "./actor-state.ts";
import type { ActorView } from "./engine.ts";
import type { MachineRegistry } from "./machine-registry.ts";
import type { ActorRow } from "./tables.ts";

/** An actor as people see it. */
export function viewActor(
  machines: MachineRegistry,
  row: ActorRow | undefined,
): ActorView | undefined {
  if (row === undefined) return undefined;
  const { address, machine, version, parent, state, status, tags, since, seq, error } = row;
  const { context } = row.snapshot;
  const nextEvents = nextEventsOf(machines, row);
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
    context,
    nextEvents,
  };
}

function nextEventsOf(machines: MachineRegistry, row: ActorRow): string[] {
  const entry = machines.get(row.machine);
  if (entry === undefined || row.status !== "active" || entry.version !== row.version) return [];
  const { snapshot } = fromStored(entry.machine, row.snapshot);
  const types = getNextTransitions(snapshot).map((transition) => transition.eventType);
  return [...new Set(types)]
    .filter((type) => !type.startsWith("xstate.") && type !== "")
    .toSorted();
}
