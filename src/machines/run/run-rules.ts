import { hashOf } from "../../policy/canonical-json.ts";
import type { CallModelOutput } from "../../schema/activities.ts";
import { type Cut, cut } from "../../schema/contexts/session-context.ts";
import type { OpenCallState, RunContext } from "../../schema/contexts/run-context.ts";
import type { EventMeta } from "../../schema/events/event.ts";
import type { Json } from "../../schema/json.ts";
import type { ToolUseBlock } from "../../schema/llm.ts";
import { circleOf, withRound } from "./repetition.ts";
import type { AnyRunEvent } from "./run-events.ts";

/** The yes/no questions of the run's chart. A guard sees the context from before the event, so it counts the event in itself. */

type DatedEvent = { readonly $: EventMeta };
type Asked = { readonly context: RunContext; readonly event: { readonly type: string } };

export function toolCallsOf(output: CallModelOutput): readonly ToolUseBlock[] {
  return output.content.filter((block) => block.type === "tool_use");
}

function answer({ event }: Asked): CallModelOutput | undefined {
  const said = event as AnyRunEvent;
  return said.type === "xstate.done.actor.callModel" ? said.output : undefined;
}

export function isRefusal(asked: Asked): boolean {
  return answer(asked)?.stop_reason === "refusal";
}

export function hasToolCalls(asked: Asked): boolean {
  const output = answer(asked);
  return output !== undefined && toolCallsOf(output).length > 0;
}

/** Rounds that only found the history too long, or a budget used up, do not count. */
function hasUsedItsRounds({ round, shortened, paused, limits }: RunContext): boolean {
  return round - shortened.times - paused.times > limits.max_tool_rounds;
}

/** The last allowed model call may only answer. */
export function isOverToolRounds(asked: Asked): boolean {
  return hasToolCalls(asked) && hasUsedItsRounds(asked.context);
}

/** The history that the model should be asked with next, where the present one is too long for it. */
export function shorterHistory({ event }: Asked): Cut | undefined {
  const failed = event as AnyRunEvent;
  if (failed.type !== "xstate.error.actor.callModel") return undefined;
  if (failed.error.code !== "model.context_too_long") return undefined;
  const proposed = cut.safeParse(failed.error.details?.["cut"]);
  return proposed.success ? proposed.data : undefined;
}

/** Each try must begin later than the one before: so there is a last one. */
export function canShorten(asked: Asked): boolean {
  const shorter = shorterHistory(asked);
  const { shortened, is_stopping } = asked.context;
  if (shorter === undefined || is_stopping) return false;
  return shorter.from_position > shortened.from_position;
}

/** A message waits that this run may still answer before it ends. */
export function isSteeredOn({ context }: Asked): boolean {
  const { steered, is_stopping } = context;
  return steered > 0 && !is_stopping && !hasUsedItsRounds(context);
}

/** Which calls a round makes, whatever their ids. */
export function roundHash(output: CallModelOutput): string {
  const calls = toolCallsOf(output).map(({ name, input }): Json => [name, input]);
  return hashOf(calls);
}

/** Of how many rounds the circle is that this answer closes once too often. */
export function circleAfter(
  { repeated, limits }: RunContext,
  output: CallModelOutput,
): number | undefined {
  return circleOf(withRound(repeated, roundHash(output)), limits.max_identical_calls);
}

export function repeatsItself(asked: Asked): boolean {
  const output = answer(asked);
  if (output === undefined || !hasToolCalls(asked)) return false;
  return circleAfter(asked.context, output) !== undefined;
}

export type Call = RunContext["calls"][number];

/** The calls as they are once this event is counted in. */
export function callsAfter(
  context: RunContext,
  anyEvent: { readonly type: string },
): readonly Call[] {
  const event = anyEvent as AnyRunEvent;
  if (event.type !== "call.changed") return context.calls;
  const { call_id, state } = event;
  return context.calls.map((call) => (call.id === call_id ? { ...call, state } : call));
}

/** The open call whose actor was set aside. */
export function failedCall({ context, event: anyEvent }: Asked): Call | undefined {
  const event = anyEvent as AnyRunEvent;
  if (event.type !== "actor.failed") return undefined;
  return context.calls.find(
    (call) => call.state !== "finished" && event.address.endsWith(`/${call.child}`),
  );
}

export function isFailureOfOpenCall(asked: Asked): boolean {
  return failedCall(asked) !== undefined;
}

function states(asked: Asked): ReadonlySet<OpenCallState> {
  return new Set(callsAfter(asked.context, asked.event).map((call) => call.state));
}

export function endsTheRound(asked: Asked): boolean {
  const found = states(asked);
  return found.size === 1 && found.has("finished");
}

/** Somebody asked it to stop after this step, whose last call has ended now. */
export function stopsAfterRound(asked: Asked): boolean {
  return asked.context.is_stopping && endsTheRound(asked);
}

/** Somebody asked it to stop after this step, in which only people are waited for now. */
export function stopsInsteadOfWaiting(asked: Asked): boolean {
  return asked.context.is_stopping && (waitsForUser(asked) || waitsForApproval(asked));
}

export function waitsForUser(asked: Asked): boolean {
  const found = states(asked);
  return !found.has("executing") && (found.has("awaiting_user") || found.has("outcome_unknown"));
}

export function waitsForApproval(asked: Asked): boolean {
  const found = states(asked);
  return !found.has("executing") && !waitsForUser(asked) && found.has("awaiting_approval");
}

/** The last open call of a run that ends because of a failure, not because somebody cancelled it. */
export function isFailureSettled(asked: Asked): boolean {
  return endsTheRound(asked) && asked.context.ending === "failed";
}

export function hasNoOpenCalls({ context }: Asked): boolean {
  return context.calls.every((call) => call.state === "finished");
}

/** What is left of the active time when a busy state begins. */
export function timeLeftMs({ context, event }: { context: RunContext; event: DatedEvent }): number {
  const { at } = event.$;
  return Math.max(0, context.remaining_ms - (at - (context.active_since ?? at)));
}
