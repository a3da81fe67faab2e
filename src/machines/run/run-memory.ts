import { assign } from "xstate";
import type { CallModelOutput } from "../../schema/activities.ts";
import type { RunContext } from "../../schema/contexts/run-context.ts";
import { unpinned } from "../../schema/contexts/run-limits.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import { knowing, withOrigins } from "../../policy/origins.ts";
import { addUsage, noUsage } from "../../schema/llm.ts";
import { joined, replyOf } from "./run-answer.ts";
import type { AnyRunEvent, RunEvent, RunInput } from "./run-events.ts";
import { noRounds, withRound } from "./repetition.ts";
import {
  callsAfter,
  circleAfter,
  isOverToolRounds,
  isRefusal,
  roundHash,
  shorterHistory,
  toolCallsOf,
} from "./run-rules.ts";

/** What a run remembers from one step to the next. */

type Event = Delivered<RunEvent>;

export function newRun({ input }: { readonly input: RunInput & { $: EventMeta } }): RunContext {
  const { $: _meta, text: _text, boundary: _boundary, ...run } = input;
  return {
    ...run,
    ...unpinned,
    round: 0,
    calls: [],
    usage: noUsage,
    ...knowing(run.trust),
    active_since: null,
    repeated: noRounds,
    steered: 0,
    is_stopping: false,
    shortened: { times: 0, from_position: 0 },
    paused: { times: 0, question: null },
    ending: "cancelled",
    error: null,
    earlier_reply: null,
    reply: null,
  };
}

type Known = { readonly context: RunContext; readonly event: Delivered<AnyRunEvent> };

const remember = (change: (known: Known) => Partial<RunContext>) =>
  assign<RunContext, Event, undefined, Event, never>(change);

/** What waited to be handed over is asked for in the same step. */
export const countRound = remember(({ context }) => ({
  round: context.round + 1,
  calls: [],
  steered: 0,
}));

export const countSteered = remember(({ context }) => ({ steered: context.steered + 1 }));

export const rememberStop = remember(() => ({ is_stopping: true }));

/** What a stopped model call had used up already was used too, and what it was reminded of is known. */
export const rememberUsage = remember(({ context, event }) => {
  const output = outputOf(event);
  if (output === undefined) return {};
  const { recalled } = output;
  const known = recalled === undefined ? {} : knowing(withOrigins(context.trust, recalled.brings));
  return { usage: addUsage(context.usage, output.usage), ...known };
});

function outputOf(event: AnyRunEvent): CallModelOutput | undefined {
  if (event.type === "xstate.done.actor.callModel") return event.output;
  if (event.type !== "activity.stopped" || event.activity !== "callModel") return undefined;
  return event.output as unknown as CallModelOutput | undefined;
}

export const rememberCalls = remember(({ context, event }) => {
  if (event.type !== "xstate.done.actor.callModel") return {};
  const calls = toolCallsOf(event.output).map((call, index) => ({
    id: call.id,
    child: `call/c${event.$.seq}-${index}`,
    tool: call.name,
    state: "executing" as const,
  }));
  return { calls, repeated: withRound(context.repeated, roundHash(event.output)) };
});

export const rememberShorterHistory = remember((known) => {
  const { times } = known.context.shortened;
  const { from_position = 0 } = shorterHistory(known) ?? {};
  return { shortened: { times: times + 1, from_position } };
});

export const rememberCall = remember(({ context, event }) => ({
  calls: [...callsAfter(context, event)],
  ...learnt(context, event),
}));

function learnt({ trust }: RunContext, event: AnyRunEvent): Partial<RunContext> {
  if (event.type !== "call.changed" || event.brings === undefined) return {};
  return knowing(withOrigins(trust, event.brings));
}

export const rememberAnswer = remember(({ event }) =>
  event.type === "xstate.done.actor.callModel" ? { reply: replyOf(event.output) } : {},
);

/** A message steers the run on: what it has answered until now was said nevertheless. */
export const rememberEarlierAnswer = remember(({ context }) => ({
  earlier_reply: joined(context.earlier_reply, context.reply),
  reply: null,
}));

/** What made the run fail: the model's error or refusal, or a limit that its answer ran into. */
export const rememberFailure = remember((known) => failed(failureOf(known)));

export const rememberDeadline = remember(({ context }) => {
  const minutes = Math.round(context.limits.run_timeout_ms / 60_000);
  return failed({
    code: "run.deadline",
    message: `The run worked for longer than its limit of ${minutes} min.`,
    retryable: false,
  });
});

export function failed(error: ErrorData): Partial<RunContext> {
  return { ending: "failed", error, reply: `I could not go on: ${error.message} (${error.code})` };
}

function failureOf(known: Known): ErrorData {
  const { context, event } = known;
  if (event.type === "xstate.error.actor.callModel") return event.error;
  if (isRefusal(known)) {
    return { code: "model.refused", message: "The model declined to answer.", retryable: false };
  }
  const { max_tool_rounds, max_identical_calls } = context.limits;
  return isOverToolRounds(known)
    ? {
        code: "run.max_tool_rounds",
        message: `The run reached its limit of tool rounds (${max_tool_rounds}).`,
        retryable: false,
      }
    : {
        code: "run.identical_calls",
        message: `The model made the same ${whatCircles(known)} ${max_identical_calls} times in a row.`,
        retryable: false,
      };
}

function whatCircles({ context, event }: Known): string {
  const output = outputOf(event);
  const rounds = output === undefined ? undefined : circleAfter(context, output);
  return rounds === undefined || rounds === 1 ? "tool calls" : `${rounds} rounds of tool calls`;
}

/** The limits are those of the configuration that the run is pinned to from now on. */
export const beginDeadline = remember(({ event }) => {
  const { at } = event.$;
  if (event.type !== "slot.granted" || event.pin === null) return { active_since: at };
  const { limits } = event.pin;
  return { limits, remaining_ms: limits.run_timeout_ms, active_since: at };
});

/** The deadline counts active time only. */
export const pauseDeadline = remember(({ context, event }) => ({
  remaining_ms: context.remaining_ms - (event.$.at - (context.active_since ?? event.$.at)),
  active_since: null,
}));

export const resumeDeadline = remember(({ event }) => ({ active_since: event.$.at }));
