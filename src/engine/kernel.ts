import { createActor, createMachine } from "xstate";
import type {
  ActorScope,
  AnyActorScope,
  AnyMachineSnapshot,
  AnyStateMachine,
  EventObject,
} from "xstate";
import type { Effect } from "../schema/effect.ts";
import type { EventData, EventMeta } from "../schema/event.ts";
import type { JsonObject } from "../schema/json.ts";
import { type ActivityLife, type ActorState, markChild, statePath } from "./actor-state.ts";
import { toEffect } from "./kernel-effects.ts";

/** The pure step: (machine, state, event) -> (next state, effects). It runs nothing, reads no clock, and throws what the machine throws. */

/** Which life of an activity or timer an event belongs to; it counts only while that life is the present one. */
export type Source = {
  readonly kind: "activity" | "timer";
  readonly id: string;
  readonly seq: number;
};

export type Step = {
  readonly state: ActorState;
  readonly effects: readonly Effect[];
  readonly accepted: boolean;
  /** Why the event was not accepted. */
  readonly reason?: string;
};

type RecordedAction = { readonly type: string; readonly params?: unknown };

const nobody = createActor(createMachine({}));

function recordingScope(recorded: RecordedAction[]): AnyActorScope {
  const scope: Omit<ActorScope<AnyMachineSnapshot, EventObject>, "system"> & { system: unknown } = {
    self: nobody as never,
    system: nobody.system,
    id: "step",
    sessionId: "step",
    logger: () => {},
    defer: () => {},
    stopChild: () => {},
    emit: () => {},
    actionExecutor: (action) => recorded.push(action),
  };
  return scope as AnyActorScope;
}

export function firstStep(machine: AnyStateMachine, input: JsonObject, meta: EventMeta): Step {
  const recorded: RecordedAction[] = [];
  const snapshot = machine.getInitialSnapshot(recordingScope(recorded), {
    ...input,
    $: meta,
  }) as AnyMachineSnapshot;
  if (snapshot.status === "error") throw snapshot.error;
  return settle({ snapshot, activities: {}, timers: {} }, recorded, meta);
}

export function nextStep(
  state: ActorState,
  event: EventData,
  meta: EventMeta,
  source?: Source,
): Step {
  if (source !== undefined && !isPresent(state, source)) {
    return refused(state, `stale: ${source.kind} ${source.id}#${source.seq} is over`);
  }
  const before = source === undefined ? state : withoutSource(state, source);
  const machine = state.snapshot.machine as AnyStateMachine;
  const recorded: RecordedAction[] = [];
  const delivered = { ...event, $: meta };
  const snapshot = machine.transition(
    before.snapshot,
    delivered,
    recordingScope(recorded),
  ) as AnyMachineSnapshot;
  if (snapshot.status === "error") throw snapshot.error;
  if (snapshot === before.snapshot && recorded.length === 0) {
    return refused(before, refusalReason(before.snapshot, event.type));
  }
  return settle({ ...before, snapshot }, recorded, meta);
}

function isPresent(state: ActorState, source: Source): boolean {
  if (source.kind === "timer") return state.timers[source.id] === source.seq;
  return state.activities[source.id]?.seq === source.seq;
}

function withoutSource(state: ActorState, source: Source): ActorState {
  if (source.kind === "timer") return { ...state, timers: without(state.timers, source.id) };
  return { ...state, activities: without(state.activities, source.id) };
}

function refused(state: ActorState, reason: string): Step {
  return { state, effects: [], accepted: false, reason };
}

function refusalReason(snapshot: AnyMachineSnapshot, type: string): string {
  const declared = Object.values(
    snapshot.getMeta() as Record<string, { ignores?: Record<string, string> }>,
  )
    .map((meta) => meta?.ignores?.[type])
    .find((reason) => reason !== undefined);
  if (declared !== undefined) return declared;
  return `${snapshot.machine.id} does not accept ${type} while ${statePath(snapshot.value)}`;
}

/** Turns the recorded actions into effects and keeps the books on lives: an activity or timer that starts here has this step's number. */
function settle(state: ActorState, recorded: readonly RecordedAction[], meta: EventMeta): Step {
  const effects: Effect[] = [];
  let { activities, timers } = state;
  for (const action of recorded) {
    const effect = toEffect(action.type, action.params);
    if (effect === undefined) continue;
    if (effect.kind === "timer") timers = { ...timers, [effect.id]: meta.seq };
    else if (effect.kind === "cancel_timer") timers = without(timers, effect.id);
    else if (effect.kind === "activity")
      activities = started(state.snapshot, activities, effect, meta.seq);
    else if (effect.kind === "stop_activity") {
      const life = activities[effect.id];
      if (life === undefined || life.stopping) continue;
      activities = { ...activities, [effect.id]: { ...life, stopping: true } };
    }
    effects.push(effect);
  }
  return { state: { snapshot: state.snapshot, activities, timers }, effects, accepted: true };
}

function started(
  snapshot: AnyMachineSnapshot,
  activities: ActorState["activities"],
  effect: { readonly id: string; readonly src: string },
  seq: number,
): { readonly [id: string]: ActivityLife } {
  if (snapshot.children[effect.id] !== undefined) markChild(snapshot, effect.id);
  return { ...activities, [effect.id]: { src: effect.src, seq, stopping: false } };
}

function without<T>(
  record: { readonly [id: string]: T },
  id: string,
): { readonly [id: string]: T } {
  if (record[id] === undefined) return record;
  const { [id]: _gone, ...rest } = record;
  return rest;
}
