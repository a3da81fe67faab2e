import { enqueueActions } from "xstate";
import { scheduleOf } from "../policy/scheduled-trace.ts";
import { isLocalSession } from "../policy/session-place.ts";
import type {
  LookupParams,
  NoticeParams,
  RefuseParams,
  RestartParams,
  SendParams,
  SpawnParams,
  TimerParams,
  WriteParams,
} from "../schema/effect.ts";
import type { ErrorCode } from "../schema/errors.ts";
import type { EventData, EventMeta } from "../schema/events/event.ts";
import type { JsonObject } from "../schema/json.ts";
import type { KeyValue, Table } from "../schema/rows/table.ts";

/** The effect vocabulary as XState actions: they do nothing here; the engine carries out what the step asked for. */

export function send(_: unknown, _params: SendParams): void {}
export function spawnActor(_: unknown, _params: SpawnParams): void {}
export function restartActor(_: unknown, _params: RestartParams): void {}
export function wakeLater(_: unknown, _params: TimerParams): void {}
export function lookup(_: unknown, _params: LookupParams): void {}
export function write(_: unknown, _params: WriteParams): void {}
export function notice(_: unknown, _params: NoticeParams): void {}
export function refuse(_: unknown, _params: RefuseParams): void {}

export type EffectAction =
  | { readonly type: "send"; readonly params: SendParams }
  | { readonly type: "spawnActor"; readonly params: SpawnParams }
  | { readonly type: "restartActor"; readonly params: RestartParams }
  | { readonly type: "wakeLater"; readonly params: TimerParams }
  | { readonly type: "lookup"; readonly params: LookupParams }
  | { readonly type: "write"; readonly params: WriteParams }
  | { readonly type: "notice"; readonly params: NoticeParams }
  | { readonly type: "refuse"; readonly params: RefuseParams };

type Plan<C, E, P> = (
  args: { readonly context: C; readonly event: E },
  params: P,
) => readonly EffectAction[];

/** A named action that asks for these effects, in order. */
export function effects<C, E, P = undefined>(plan: Plan<C, E, P>) {
  return enqueueActions<never, never, never, never, never, EffectAction, never, never, never>(
    ({ context, event, enqueue }, params) => {
      for (const action of plan({ context, event: withMeta(event) }, params)) enqueue(action);
    },
  ) as unknown as { (args: { readonly context: C; readonly event: E }, params: P): void };
}

/** XState's first event has its `$` in the input. */
function withMeta<E>(event: E): E {
  const { $, input } = event as {
    readonly $?: EventMeta;
    readonly input?: { readonly $: EventMeta };
  };
  return $ === undefined && input !== undefined ? { ...event, $: input.$ } : event;
}

export const toParent = (event: EventData): EffectAction => sendTo("parent", event);

export const sendTo = (to: string, event: EventData): EffectAction => ({
  type: "send",
  params: { to, event },
});

export const putRow = <R extends object>(table: Table<R>, row: R): EffectAction => ({
  type: "write",
  params: { table: table.name, op: "put", row: row as unknown as JsonObject },
});

export const patchRow = <R extends object>(
  table: Table<R>,
  key: readonly KeyValue[],
  changes: Partial<R>,
): EffectAction => ({
  type: "write",
  params: { table: table.name, op: "patch", key, row: changes as unknown as JsonObject },
});

export const removeRow = <R extends object>(
  table: Table<R>,
  ...key: readonly KeyValue[]
): EffectAction => ({
  type: "write",
  params: { table: table.name, op: "remove", key },
});

/** All rows of an owner that is no actor; those of actors end with them. */
export const clearRows = <R extends object>(table: Table<R>, owner: string): EffectAction => ({
  type: "write",
  params: { table: table.name, op: "clear", owner },
});

export const ask = (name: string, args: JsonObject): EffectAction => ({
  type: "lookup",
  params: { name, args },
});

/** Asked only where a conversation is held over a channel: there, what is to be told becomes a delivery. */
export const askChannel = (
  sessionAddress: string,
  name: string,
  args: JsonObject,
): readonly EffectAction[] =>
  isLocalSession(sessionAddress) ? [] : [ask(name, { ...args, session_address: sessionAddress })];

/** Asked only for what a schedule has begun: it hears how that ended. */
export const askSchedule = (
  trace: string,
  ended: { readonly run_id: string; readonly state: string },
): readonly EffectAction[] =>
  scheduleOf(trace) === undefined ? [] : [ask("tellSchedule", { trace, ...ended })];

export const spawn = (id: string, machine: string, input: object): EffectAction => ({
  type: "spawnActor",
  params: { id, machine, input: input as JsonObject },
});

/** To whoever watches: not durable, and no event. */
export const tell = (said: JsonObject): EffectAction => ({
  type: "notice",
  params: { notice: said },
});

/** Whoever sent the event is told no, and why. */
export const refuseWith = (code: ErrorCode, message: string): EffectAction => ({
  type: "refuse",
  params: { code, message },
});
