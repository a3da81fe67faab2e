import type {
  Effect,
  LookupParams,
  NoticeParams,
  RefuseParams,
  RestartParams,
  SendParams,
  SpawnParams,
  TimerParams,
  WriteParams,
} from "../../schema/effect.ts";
import type { EventData } from "../../schema/events/event.ts";
import type { Json } from "../../schema/json.ts";

/** XState's resolved actions, translated: its built-in ones and the named actions of the effect vocabulary. */

/** As the machine asked for it, but with the life that is to stop: a new one of the same id may begin in the same step. */
export type StepEffect =
  | Exclude<Effect, { readonly kind: "stop_activity" }>
  | { readonly kind: "stop_activity"; readonly id: string; readonly seq: number };

type Translate = (params: never) => Effect | undefined;

const translations: { readonly [type: string]: Translate } = {
  "send": (params: SendParams) => ({ kind: "send", ...params }),
  "spawnActor": (params: SpawnParams) => ({ kind: "spawn", ...params }),
  "restartActor": (params: RestartParams) => ({ kind: "restart", ...params }),
  "wakeLater": (params: TimerParams) => ({ kind: "timer", ...params }),
  "lookup": (params: LookupParams) => ({ kind: "lookup", ...params }),
  "write": (params: WriteParams) => ({ kind: "write", write: params }),
  "notice": (params: NoticeParams) => ({ kind: "notice", ...params }),
  "refuse": (params: RefuseParams) => ({ kind: "refuse", ...params }),
  "xstate.raise": (params: { event: EventData; id?: string; delay?: number }) =>
    params.delay === undefined
      ? undefined
      : {
          kind: "timer",
          id: params.id ?? params.event.type,
          delayMs: params.delay,
          event: params.event,
        },
  "xstate.cancel": (params: { sendId: string }) => ({ kind: "cancel_timer", id: params.sendId }),
  "xstate.spawnChild": (params: { actorRef: { id: string }; src: string; input?: Json }) => ({
    kind: "activity",
    id: params.actorRef.id,
    src: params.src,
    input: params.input ?? null,
  }),
  "xstate.stopChild": (params: { id: string } | undefined) =>
    params === undefined ? undefined : { kind: "stop_activity", id: params.id },
};

/** @throws Error on an action that is no effect: a machine's mistake, found by its first test */
export function toEffect(type: string, params: unknown): Effect | undefined {
  const translate = translations[type];
  if (translate === undefined)
    throw new Error(`the action "${type}" is not an effect; see src/schema/effect.ts`);
  return translate(params as never);
}
