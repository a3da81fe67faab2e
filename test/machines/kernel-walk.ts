import { type AnyActorLogic, type AnyStateMachine, createMachine, enqueueActions } from "xstate";
import { getShortestPaths } from "xstate/graph";
import { statesOf, transitionsOf, withDescendants } from "../../scripts/machines/state-nodes.ts";
import { type ActorState, type Source, statePath } from "../../src/engine/kernel/actor-state.ts";
import { firstStep, nextStep, type Step } from "../../src/engine/kernel/kernel.ts";
import type { EventData, EventMeta, Origin } from "../../src/schema/events/event.ts";
import type { JsonObject } from "../../src/schema/json.ts";

/** Walks everything that can happen to one machine in our own kernel. A ledger books what the effects did; it is part of a
 *  world's identity, so a law that holds in every world holds on every path, through every cycle. */

export type Effect = Step["effects"][number];

export type World<L> = {
  readonly actor: ActorState;
  readonly ledger: L;
  /** What the actor sent to itself or a lookup answered: it comes before everything else. */
  readonly mail: readonly EventData[];
  readonly seq: number;
  readonly at: number;
  readonly path: readonly string[];
  /** A walk does not go on from a breach. */
  readonly isBroken: boolean;
};

/** One step: from where, by what, what it asked for, to where. */
export type Taken<L> = {
  readonly event: EventData;
  readonly before: World<L> | undefined;
  readonly state: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly effects: readonly Effect[];
  readonly isAccepted: boolean;
  readonly isFinal: boolean;
  readonly ledger: L;
  readonly at: number;
  readonly actor: ActorState;
};

export type Laws<L> = { readonly [sentence: string]: (taken: Taken<L>) => boolean };

export type Walk<L> = {
  readonly machine: AnyStateMachine;
  readonly input: object;
  readonly ledger: L;
  /** What people, other actors and the engine may send now; settlements and timers are added by the walk. */
  readonly moves: (world: World<L>, state: string) => readonly EventData[];
  readonly settlements: { readonly [activity: string]: Settlements };
  /** Where an event comes from; absent: from an actor. */
  readonly originOf?: (event: EventData) => Origin;
  readonly count: (taken: Omit<Taken<L>, "ledger">, ledger: L) => L;
  /** Of the context, what guards and actions look at. */
  readonly key: (context: never) => unknown;
  readonly laws: Laws<L>;
  /** Goes no further once this law is broken. */
  readonly until?: string;
};

type Settlements = {
  readonly settled: readonly JsonObject[];
  readonly stopped: readonly JsonObject[];
};

export type Walked = {
  readonly worlds: number;
  readonly states: ReadonlySet<string>;
  readonly unreached: readonly string[];
  readonly untaken: readonly string[];
  /** Broken laws with the shortest way to each breach. */
  readonly breaches: { readonly [sentence: string]: readonly string[] };
};

/** Taken in the step of another event: that their targets are reached says that they were. */
const eventless = "";

const secondMs = 1_000;
export const self = "session/k/run/r1";

export function walk<L>(plan: Walk<L>): Walked {
  const taken = new Set<unknown>();
  const states = new Set<string>();
  const breaches: Record<string, readonly string[]> = {};
  const judge = (step: Taken<L>, path: readonly string[]) => {
    for (const key of step.state.split(".")) states.add(key);
    const broken = Object.entries(plan.laws).filter(([, holds]) => !holds(step));
    for (const [sentence] of broken) breaches[sentence] ??= [...path, step.state];
    return broken.length > 0;
  };
  const isOver = () => plan.until !== undefined && plan.until in breaches;
  const logic = {
    getInitialSnapshot: () => {
      const step = firstStep(plan.machine, plan.input as JsonObject, metaOf(1, 0));
      return arrive(plan, { event: { type: "created" }, step, judge });
    },
    transition: (before: World<L>, event: EventData) => {
      const $ = metaOf(before.seq + 1, before.at + secondMs, plan.originOf?.(event));
      const delivered = { ...event, $ };
      for (const one of plan.machine.getTransitionData(before.actor.snapshot, delivered))
        taken.add(one);
      const step = nextStep(before.actor, delivered, sourceOf(before.actor, event));
      return arrive(plan, { event, before, step, judge });
    },
  } as unknown as AnyActorLogic;
  const paths = getShortestPaths(logic, {
    events: ((world: World<L>) => (isOver() ? [] : movesIn(plan, world))) as never,
    serializeState: ((world: World<L>) => keyOf(plan, world)) as never,
    limit: 200_000,
  });
  return {
    worlds: paths.length,
    states,
    breaches,
    unreached: statesOf(plan.machine)
      .map(({ key }) => key)
      .filter((key) => !states.has(key)),
    untaken: withDescendants(plan.machine.root).flatMap((node) =>
      transitionsOf(node)
        .filter((transition) => transition.eventType !== eventless && !taken.has(transition))
        .map(({ eventType, guard }) => `${node.key}: ${eventType} [${guardName(guard)}]`),
    ),
  };
}

function guardName(guard: unknown): string {
  return typeof guard === "string" ? guard : "";
}

function metaOf(seq: number, at: number, origin: Origin = "actor"): EventMeta {
  return { at, seq, trace: "t1", cause: null, origin, self };
}

type Arrival<L> = {
  readonly event: EventData;
  readonly before?: World<L>;
  readonly step: Step;
  readonly judge: (taken: Taken<L>, path: readonly string[]) => boolean;
};

function arrive<L>(plan: Walk<L>, { event, before, step, judge }: Arrival<L>): World<L> {
  const { snapshot } = step.state;
  const at = before === undefined ? 0 : before.at + secondMs;
  const half = {
    event,
    before,
    at,
    actor: step.state,
    state: statePath(snapshot.value),
    context: snapshot.context as Record<string, unknown>,
    effects: step.effects,
    isAccepted: step.accepted,
    isFinal: snapshot.status === "done",
  };
  const ledger = plan.count(half, before?.ledger ?? plan.ledger);
  const path = [...(before?.path ?? []), JSON.stringify(event)];
  const isBroken = judge({ ...half, ledger }, path);
  const waiting = before?.mail.slice(before.mail[0]?.type === event.type ? 1 : 0) ?? [];
  const mail = [...waiting, ...selfSent(step.effects)];
  return { actor: step.state, ledger, mail, seq: (before?.seq ?? 0) + 1, at, path, isBroken };
}

function selfSent(effects: readonly Effect[]): EventData[] {
  return effects.flatMap((effect) =>
    effect.kind === "send" && effect.to === "self" ? [effect.event] : [],
  );
}

function movesIn<L>(plan: Walk<L>, world: World<L>): readonly EventData[] {
  const { actor, mail } = world;
  if (actor.snapshot.status === "done" || world.isBroken) return [];
  if (mail[0] !== undefined) return [mail[0]];
  return [
    ...plan.moves(world, statePath(actor.snapshot.value)),
    ...Object.keys(actor.timers)
      .filter((id) => id.startsWith("xstate.after."))
      .map((type) => ({ type })),
    ...Object.entries(actor.activities).flatMap(([id, { src, stopping }]) => {
      const { settled, stopped } = plan.settlements[src] as Settlements;
      return stopping
        ? stopped.map((how) => ({ type: "activity.stopped", activity: id, ...how }))
        : settled.map((how) => ({
            type: `xstate.${"error" in how ? "error" : "done"}.actor.${id}`,
            ...how,
          }));
    }),
  ];
}

function sourceOf({ activities, timers }: ActorState, event: EventData): Source | undefined {
  const id = /^xstate\.(?:done|error)\.actor\.(.*)$/.exec(event.type)?.[1];
  const activity = event.type === "activity.stopped" ? (event["activity"] as string) : id;
  const life = activity === undefined ? undefined : activities[activity];
  if (life !== undefined) return { kind: "activity", id: activity as string, seq: life.seq };
  const seq = timers[event.type];
  return seq === undefined ? undefined : { kind: "timer", id: event.type, seq };
}

function keyOf<L>(plan: Walk<L>, { actor, ledger, mail }: World<L>): string {
  const lives = Object.values(actor.activities).map(({ src, stopping }) => [src, stopping]);
  const { value, context } = actor.snapshot;
  const timers = Object.keys(actor.timers).toSorted();
  return JSON.stringify([value, plan.key(context as never), lives, timers, ledger, mail]);
}

/** The rows that a step writes to one table, by operation. */
export function rowsOf(effects: readonly Effect[], table: string, op = "put"): JsonObject[] {
  return effects.flatMap((effect) =>
    effect.kind === "write" && effect.write.table === table && effect.write.op === op
      ? ["row" in effect.write ? effect.write.row : {}]
      : [],
  );
}

export function sentTo(effects: readonly Effect[], to: string, type: string): EventData[] {
  return effects.flatMap((effect) =>
    effect.kind === "send" && effect.to === to && effect.event.type === type ? [effect.event] : [],
  );
}

/** Stands in for an action that somebody forgot. */
export const forgotten = enqueueActions(() => {}) as never;

/** The same machine with another value at a path of its chart, as `states.executing.invoke.onError.0`. */
export function withChart(machine: AnyStateMachine, path: string, value: unknown) {
  const { context, ...chart } = machine.config as unknown as Record<string, unknown>;
  const changed = replaced(chart, path.split("."), value) as object;
  return createMachine({ ...changed, context } as never, machine.implementations as never);
}

function replaced(node: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(node) ? [...(node as unknown[])] : { ...(node as object) }) as Record<
    string,
    unknown
  >;
  copy[key] = replaced(copy[key], rest, value);
  return copy;
}
