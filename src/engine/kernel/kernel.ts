import { createActor, createMachine } from "xstate";
import type {
  ActorScope,
  AnyActorScope,
  AnyMachineSnapshot,
  AnyStateMachine,
  EventObject,
} from "xstate";
import type { Effect } from "../../schema/effect.ts";
import { AgentError, type ErrorData } from "../../schema/errors.ts";
import type { Delivered, EventData, EventMeta } from "../../schema/events/event.ts";
import type { JsonObject } from "../../schema/json.ts";
import {
  type ActivityLife,
  type ActorState,
  isPresent,
  markChild,
  type Source,
  statePath,
} from "./actor-state.ts";
import { type StepEffect, toEffect } from "./kernel-effects.ts";

/** The pure step: (machine, state, event) -> (next state, effects). It runs nothing, reads no clock, and throws what the machine throws. */

export type Step = {
  readonly state: ActorState;
  readonly effects: readonly StepEffect[];
  readonly accepted: boolean;
  /** Why the event was not accepted. */
  readonly reason?: string;
};

export function firstStep(machine: AnyStateMachine, input: JsonObject, meta: EventMeta): Step {
  const recorded: RecordedAction[] = [];
  const snapshot = machine.getInitialSnapshot(recordingScope(recorded), {
    ...input,
    $: meta,
  }) as AnyMachineSnapshot;
  throwItsError(snapshot);
  return settle({ snapshot, activities: {}, timers: {} }, recorded, meta.seq);
}

export function nextStep(state: ActorState, event: Delivered<EventData>, source?: Source): Step {
  if (source !== undefined && !isPresent(state, source)) {
    return refused(state, `stale: ${source.kind} ${source.id}#${source.seq} is over`);
  }
  const before = source === undefined ? state : withoutSource(state, source);
  const machine = state.snapshot.machine as AnyStateMachine;
  const recorded: RecordedAction[] = [];
  const scope = recordingScope(recorded);
  const snapshot = machine.transition(before.snapshot, event, scope) as AnyMachineSnapshot;
  throwItsError(snapshot);
  if (snapshot === before.snapshot && recorded.length === 0) {
    return refused(before, refusalReason(before.snapshot, event.type));
  }
  return settle({ ...before, snapshot }, recorded, event.$.seq);
}

type RecordedAction = { readonly type: string; readonly params?: unknown };

const nobody = createActor(createMachine({}));

const inertScope = {
  self: nobody as never,
  system: nobody.system,
  id: "step",
  sessionId: "step",
  logger: () => {},
  defer: () => {},
  stopChild: () => {},
  emit: () => {},
} satisfies Omit<ActorScope<AnyMachineSnapshot, EventObject>, "system" | "actionExecutor"> & {
  readonly system: unknown;
};

function recordingScope(recorded: RecordedAction[]): AnyActorScope {
  const actionExecutor = (action: RecordedAction) => recorded.push(action);
  return { ...inertScope, actionExecutor } as AnyActorScope;
}

/** XState keeps the error of an activity that no state handles as it came: as data. */
function throwItsError(snapshot: AnyMachineSnapshot): void {
  if (snapshot.status !== "error") return;
  const { error } = snapshot;
  if (error instanceof Error) throw error;
  const { code = "internal", message = String(error) } = (error ?? {}) as Partial<ErrorData>;
  throw new AgentError(code, message);
}

function withoutSource(state: ActorState, source: Source): ActorState {
  if (source.kind === "timer") return { ...state, timers: without(state.timers, source.id) };
  return { ...state, activities: without(state.activities, source.id) };
}

function refused(state: ActorState, reason: string): Step {
  return { state, effects: [], accepted: false, reason };
}

type StateMeta = { readonly ignores?: { readonly [type: string]: string } } | undefined;

function refusalReason(snapshot: AnyMachineSnapshot, type: string): string {
  const metas = Object.values(snapshot.getMeta() as Record<string, StateMeta>);
  const declared = metas.map((meta) => meta?.ignores?.[type]);
  return (
    declared.find((reason) => reason !== undefined) ??
    `${snapshot.machine.id} does not accept ${type} while ${statePath(snapshot.value)}`
  );
}

/** Turns the recorded actions into effects. */
function settle(before: ActorState, recorded: readonly RecordedAction[], seq: number): Step {
  const effects: StepEffect[] = [];
  let state = before;
  for (const action of recorded) {
    const asked = toEffect(action.type, action.params);
    const effect = asked === undefined ? undefined : whereItApplies(state, asked);
    if (effect === undefined) continue;
    effects.push(effect);
    state = withLifeOf(state, effect, seq);
  }
  return { state, effects, accepted: true };
}

/** XState stops what it leaves, whether or not it runs; a stop is told which life it means. */
function whereItApplies(state: ActorState, effect: Effect): StepEffect | undefined {
  if (effect.kind === "cancel_timer")
    return state.timers[effect.id] === undefined ? undefined : effect;
  if (effect.kind !== "stop_activity") return effect;
  const life = state.activities[effect.id];
  return life === undefined || life.stopping ? undefined : { ...effect, seq: life.seq };
}

/** The books on lives: an activity or timer that starts here has this step's number. */
function withLifeOf(state: ActorState, effect: StepEffect, seq: number): ActorState {
  const { snapshot, activities, timers } = state;
  switch (effect.kind) {
    case "timer":
      return { ...state, timers: { ...timers, [effect.id]: seq } };
    case "cancel_timer":
      return { ...state, timers: without(timers, effect.id) };
    case "activity": {
      if (snapshot.children[effect.id] !== undefined) markChild(snapshot, effect.id);
      const life = { src: effect.src, seq, stopping: false };
      return { ...state, activities: { ...activities, [effect.id]: life } };
    }
    case "stop_activity": {
      const life = { ...(activities[effect.id] as ActivityLife), stopping: true };
      return { ...state, activities: { ...activities, [effect.id]: life } };
    }
    default:
      return state;
  }
}

function without<T>(
  record: { readonly [id: string]: T },
  id: string,
): { readonly [id: string]: T } {
  if (record[id] === undefined) return record;
  const { [id]: _gone, ...rest } = record;
  return rest;
}
