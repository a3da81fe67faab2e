import type { AnyStateMachine } from "xstate";
import { AgentError } from "../schema/errors.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Origin } from "../schema/events/event.ts";
import type { StoredState } from "./kernel/actor-state.ts";
import type { RestartType } from "./tables.ts";

/** One kind of actor: its chart, what its context must look like, and how older rows become rows of today. */
export type MachineEntry = {
  readonly machine: AnyStateMachine;
  readonly context: { safeParse(context: unknown): { readonly success: boolean } };
  readonly restart?: RestartType;
  /** Whom its words to others are from, where it hands on what people say; absent: itself. */
  readonly speaksAs?: Origin;
  /** Events that the present state names, but that no payload makes acceptable to an actor with this context. */
  readonly refuses?: (context: JsonObject) => readonly string[];
  /** From a stored version to the present one; a version without an entry is quarantined. */
  readonly migrations?: { readonly [fromVersion: string]: (stored: StoredState) => StoredState };
};

export type RegisteredMachine = MachineEntry & {
  readonly name: string;
  readonly version: string;
  /** The event that asks an actor of this kind to end, sent to what its parent leaves behind. */
  readonly cancelEvent: string | undefined;
  readonly accepts: ReadonlySet<string>;
};

export type MachineRegistry = {
  get(name: string): RegisteredMachine | undefined;
  all(): readonly RegisteredMachine[];
};

const maxMicrosteps = 256;

/** @throws AgentError internal: a machine without version, or a name given twice */
export function createMachineRegistry(entries: readonly MachineEntry[]): MachineRegistry {
  const byName = new Map<string, RegisteredMachine>();
  for (const entry of entries) {
    const registered = register(entry);
    if (byName.has(registered.name))
      throw new AgentError("internal", `machine ${registered.name} is registered twice`);
    byName.set(registered.name, registered);
  }
  return { get: (name) => byName.get(name), all: () => [...byName.values()] };
}

function register(entry: MachineEntry): RegisteredMachine {
  const { machine } = entry;
  if (machine.version === undefined)
    throw new AgentError("internal", `machine ${machine.id} has no version`);
  machine.options = { ...machine.options, maxIterations: maxMicrosteps };
  const events = machine.events as readonly string[];
  return {
    ...entry,
    name: machine.id,
    version: machine.version,
    cancelEvent: events.find((type) => type.endsWith(".cancel")),
    accepts: new Set(events),
  };
}
