import type { Address } from "../schema/event.ts";
import { type ActorState, fromStored } from "./actor-state.ts";
import type { MachineRegistry } from "./machine-registry.ts";
import type { ActorRow } from "./tables.ts";

/** `state` is undefined for an actor that has ended or cannot be read: nothing can be stepped. */
export type LiveActor = { readonly row: ActorRow; readonly state: ActorState | undefined };

/** Committed live snapshots, least recently used out first; an evicted actor is read again from its row. */
export class ActorCache {
  private readonly machines: MachineRegistry;
  private readonly capacity: number;
  private readonly actors = new Map<Address, LiveActor>();

  constructor(machines: MachineRegistry, capacity: number) {
    this.machines = machines;
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
    if (actor.row.status !== "active") return;
    this.actors.set(actor.row.address, actor);
    if (this.actors.size <= this.capacity) return;
    const oldest = this.actors.keys().next();
    if (oldest.done !== true) this.actors.delete(oldest.value);
  }

  revive(row: ActorRow): LiveActor {
    const entry = this.machines.get(row.machine);
    if (row.status !== "active" || entry === undefined) return { row, state: undefined };
    return { row, state: fromStored(entry.machine, row.snapshot) };
  }
}
