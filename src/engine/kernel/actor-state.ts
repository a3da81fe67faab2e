import type { AnyMachineSnapshot, AnyStateMachine, StateValue } from "xstate";
import type { JsonObject } from "../../schema/json.ts";

/** An actor between two steps: XState's snapshot and which life of each activity and timer is the present one. */

export type Incarnations = { readonly [id: string]: number };

/** Which life of an activity or timer an event belongs to; it counts only while that life is the present one. */
export type Source = {
  readonly kind: "activity" | "timer";
  readonly id: string;
  readonly seq: number;
};

export type ActivityLife = {
  readonly src: string;
  readonly seq: number;
  readonly stopping: boolean;
};

export type ActorState = {
  readonly snapshot: AnyMachineSnapshot;
  readonly activities: { readonly [id: string]: ActivityLife };
  readonly timers: Incarnations;
};

export type StoredState = {
  readonly value: StateValue;
  readonly context: JsonObject;
  readonly history?: { readonly [nodeId: string]: readonly string[] };
  readonly activities: ActorState["activities"];
  readonly timers: Incarnations;
};

export function isPresent(state: ActorState, source: Source): boolean {
  if (source.kind === "timer") return state.timers[source.id] === source.seq;
  return state.activities[source.id]?.seq === source.seq;
}

/** The stored form shares its parts with the live one: nothing is cloned. */
export function toStored(state: ActorState): StoredState {
  const { snapshot, activities, timers } = state;
  const history = Object.entries(snapshot.historyValue as Record<string, { id: string }[]>).map(
    ([id, nodes]) => [id, nodes.map((node) => node.id)] as const,
  );
  return {
    value: snapshot.value,
    context: snapshot.context as JsonObject,
    ...(history.length > 0 ? { history: Object.fromEntries(history) } : {}),
    activities,
    timers,
  };
}

/** Rows outlive the code that wrote them, and a file may have been edited. */
export function isWhole(stored: Partial<StoredState> | null): stored is StoredState {
  const { context, activities, timers } = stored ?? {};
  return [context, activities, timers].every((part) => typeof part === "object" && part !== null);
}

/** Empty where the snapshot is damaged. */
export function storedContext(stored: Partial<StoredState> | null): JsonObject {
  return isWhole(stored) ? stored.context : {};
}

/** XState's own restore would create child actors; a running activity needs only a mark with its id, so that leaving the
 *  state asks for its stop. */
export function fromStored(machine: AnyStateMachine, stored: StoredState): ActorState {
  const historyValue = Object.fromEntries(
    Object.entries(stored.history ?? {}).map(([id, nodes]) => [
      id,
      nodes.map((node) => machine.getStateNodeById(node)),
    ]),
  );
  const snapshot = machine.resolveState({
    value: stored.value,
    context: stored.context,
    historyValue: historyValue as never,
  });
  for (const [id, life] of Object.entries(stored.activities)) {
    if (!life.stopping) markChild(snapshot, id);
  }
  return { snapshot, activities: stored.activities, timers: stored.timers };
}

export function markChild(snapshot: AnyMachineSnapshot, id: string): void {
  (snapshot.children as Record<string, unknown>)[id] = { id };
}

/** `awaiting_tool`, `a.b` for nested states, `(a.x b.y)` joined by a space for parallel ones. */
export function statePath(value: StateValue): string {
  if (typeof value === "string") return value;
  return Object.entries(value)
    .map(([key, inner]) => {
      const rest = inner === undefined ? "" : statePath(inner);
      return rest === "" ? key : `${key}.${rest}`;
    })
    .join(" ");
}

/** Every active state, the outer ones before those within: `working`, `working.calling`. */
export function activePaths(value: StateValue, outer = ""): string[] {
  if (typeof value === "string") return [outer + value];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = outer + key;
    return [path, ...(inner === undefined ? [] : activePaths(inner, `${path}.`))];
  });
}

/** The active states that have no other one within. */
export function leavesIn(value: StateValue): string[] {
  const active = activePaths(value);
  return active.filter((path) => !active.some((other) => other.startsWith(`${path}.`)));
}

/** The chart's tags, and those that the context carries in `tags`. */
export function tagsOf(snapshot: AnyMachineSnapshot): readonly string[] {
  const { tags = [] } = snapshot.context as { readonly tags?: readonly string[] };
  return [...new Set([...snapshot.tags, ...tags])].toSorted();
}
