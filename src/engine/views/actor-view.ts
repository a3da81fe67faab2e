import type { CommittedReader } from "../../ports/store.ts";
import type { Address } from "../../schema/events/event.ts";
import { reviveActor } from "../actor-cache.ts";
import { storedContext } from "../kernel/actor-state.ts";
import type { ActorFilter, ActorView } from "../engine.ts";
import type { MachineRegistry } from "../machine-registry.ts";
import { type NextEvent, nextEventsOf } from "./next-events.ts";
import { type ActorRow, actorTable } from "../tables.ts";

/** Actors as people see them, from committed rows alone: it needs no running engine. */

export async function viewActor(
  read: CommittedReader,
  machines: MachineRegistry,
  wanted: Address,
): Promise<ActorView | undefined> {
  const row = await read.get(actorTable, wanted);
  if (row === undefined) return undefined;
  const { address, machine, version, parent, state, status, tags, since, trace, seq, error } = row;
  return {
    address,
    machine,
    version,
    parent,
    state,
    status,
    tags,
    since,
    trace,
    seq,
    error,
    context: storedContext(row.snapshot),
    nextEvents: acceptedBy(machines, row).map(({ type }) => type),
  };
}

export async function listActors(read: CommittedReader, filter: ActorFilter): Promise<ActorRow[]> {
  const { status, prefix = "", limit = 1000 } = filter;
  if (status !== undefined) {
    const query = { index: "by_version", equals: [status] };
    const rows = await read.select(actorTable, query);
    return rows.filter((row) => row.address.startsWith(prefix)).slice(0, limit);
  }
  const range = prefix === "" ? {} : { from: prefix, before: `${prefix}\u{10ffff}` };
  return read.select(actorTable, { index: "key", ...range, limit });
}

/** None for an actor that has ended, or that this code cannot read. */
export function acceptedBy(machines: MachineRegistry, row: ActorRow): NextEvent[] {
  const { state } = reviveActor(machines, row);
  if (state === undefined) return [];
  const refused = machines.get(row.machine)?.refuses?.(state.snapshot.context) ?? [];
  return nextEventsOf(state.snapshot).filter(({ type }) => !refused.includes(type));
}
