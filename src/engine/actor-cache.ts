import { AgentError, type ErrorData, toErrorData } from "../schema/errors.ts";
import type { Address } from "../schema/events/event.ts";
import { type ActorState, fromStored, isWhole } from "./kernel/actor-state.ts";
import type { MachineRegistry } from "./machine-registry.ts";
import type { ActorRow } from "./tables.ts";

/** `state` is undefined for an actor that has ended, and for one that this code cannot read: that one has a `fault`. */
export type LiveActor = {
  readonly row: ActorRow;
  readonly state: ActorState | undefined;
  readonly fault?: ErrorData;
};

/** Committed live snapshots, least recently used out first; an evicted actor is read again from its row. */
export class ActorCache {
  private readonly capacity: number;
  private readonly actors = new Map<Address, LiveActor>();

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get size(): number {
    return this.actors.size;
  }

  get(address: Address): LiveActor | undefined {
    const actor = this.actors.get(address);
    if (actor === undefined) return undefined;
    this.actors.delete(address);
    this.actors.set(address, actor);
    return actor;
  }

  keep(actor: LiveActor): void {
    this.actors.delete(actor.row.address);
    if (actor.state === undefined) return;
    this.actors.set(actor.row.address, actor);
    if (this.actors.size <= this.capacity) return;
    const oldest = this.actors.keys().next();
    if (oldest.done !== true) this.actors.delete(oldest.value);
  }
}

/** An actor from its row, if the code of today can go on from there. */
export function reviveActor(machines: MachineRegistry, row: ActorRow): LiveActor {
  if (row.status !== "active") return { row, state: undefined };
  try {
    return { row, state: readState(machines, row) };
  } catch (thrown) {
    return { row, state: undefined, fault: toErrorData(thrown, "actor.quarantined") };
  }
}

function readState(machines: MachineRegistry, row: ActorRow): ActorState {
  const entry = machines.get(row.machine);
  if (entry?.version !== row.version) {
    const kind = `${row.machine}@${row.version}`;
    throw new AgentError("actor.quarantined", `${kind} is not known and has no migration`);
  }
  if (!isWhole(row.snapshot)) {
    throw new AgentError("actor.quarantined", "its stored snapshot is damaged");
  }
  if (!entry.context.safeParse(row.snapshot.context).success) {
    throw new AgentError("actor.quarantined", `the context is none of a ${row.machine}`);
  }
  return fromStored(entry.machine, row.snapshot);
}
