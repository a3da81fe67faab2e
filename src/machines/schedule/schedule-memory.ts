import { assign } from "xstate";
import { scheduledTrace } from "../../policy/scheduled-trace.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import type { ScheduleOutcome } from "../../schema/schedule.ts";
import type { ScheduleContext } from "../../schema/contexts/schedule-context.ts";
import type { ScheduleEvent, ScheduleInput } from "./schedule-events.ts";
import { partitionOf } from "./schedule-rules.ts";

/** What a schedule remembers: when it is due, what works for it, how that ended. */

type Event = Delivered<ScheduleEvent>;
type Known = { readonly context: ScheduleContext; readonly event: Event };

const remember = (change: (known: Known) => Partial<ScheduleContext>) =>
  assign<ScheduleContext, Event, undefined, Event, never>(change);

export function newSchedule({
  input,
}: {
  readonly input: ScheduleInput & { $: EventMeta };
}): ScheduleContext {
  const { schedule_id, source, definition, $ } = input;
  return {
    schedule_id,
    source,
    definition,
    created_at: $.at,
    next_at: null,
    last_begun_at: null,
    last_run_at: null,
    last_outcome: null,
    last_detail: null,
    last_run_id: null,
    missed_at: null,
    runs: 0,
    skipped: 0,
    failures: 0,
    present: null,
    afterwards: "waiting",
  };
}

/** One that was to go and stands in its file again stays. */
export const rememberDefinition = remember(({ context, event }) => {
  if (event.type !== "schedule.configure") return {};
  const afterwards = context.afterwards === "removed" ? "waiting" : context.afterwards;
  return { definition: event.definition, afterwards };
});

export const rememberPlan = remember(({ event }) =>
  event.type === "schedule.planned" ? { next_at: event.next_at } : {},
);

export const rememberMissed = remember(({ context }) => ({ missed_at: context.next_at }));

export const countSkipped = remember(({ context }) => ({ skipped: context.skipped + 1 }));

export const rememberBeginning = remember(({ context, event }) => {
  const { at, seq } = event.$;
  const trace = scheduledTrace(context.schedule_id, seq);
  return {
    last_begun_at: Math.max(at, context.last_begun_at ?? at),
    last_run_at: at,
    runs: context.runs + 1,
    present: { trace, open: [], changed: 0, failed: 0 },
  };
});

/** A person's word counts from now, whatever the clock said before. */
export const forgetBeginning = remember(() => ({ last_begun_at: null }));

export const rememberPartitions = remember(({ context, event }) => {
  if (event.type !== "partitions.found" || context.present === null) return {};
  return { present: { ...context.present, open: [...new Set(event.partitions)] } };
});

/** Of one partition, and, with the last, of all. */
export const rememberPartition = remember(({ context, event }) => {
  const partition = partitionOf(event);
  if (partition === undefined || context.present?.open.includes(partition) !== true) return {};
  const open = context.present.open.filter((one) => one !== partition);
  const outcome = event.type === "consolidation.finished" ? event.outcome : "failed";
  const changed = context.present.changed + (outcome === "changed" ? 1 : 0);
  const failed = context.present.failed + (outcome === "failed" ? 1 : 0);
  const present = { ...context.present, open, changed, failed };
  if (open.length > 0) return { present };
  const detail =
    failed > 0 ? `${failed} could not be tidied, ${changed} changed` : `${changed} changed`;
  return endedWith(context, failed > 0 ? "failed" : "done", detail);
});

export const rememberNothing = remember(({ context }) => endedWith(context, "nothing_to_do", null));

export const rememberTaskEnd = remember(({ context, event }) => {
  if (event.type === "task.refused") return endedWith(context, "refused", event.reason ?? null);
  if (event.type !== "task.ended") return {};
  return { ...endedWith(context, event.state, null), last_run_id: event.run_id };
});

/** What a person has stopped has not failed. */
function endedWith(
  { failures }: ScheduleContext,
  outcome: ScheduleOutcome,
  detail: string | null,
): Partial<ScheduleContext> {
  const isFailure = outcome === "failed" || outcome === "refused" || outcome === "dropped";
  const kept = outcome === "cancelled" ? failures : 0;
  return {
    present: null,
    last_outcome: outcome,
    last_detail: detail,
    failures: isFailure ? failures + 1 : kept,
  };
}

export const pauseAfterwards = remember(() => ({ afterwards: "paused" }));
export const removeAfterwards = remember(() => ({ afterwards: "removed" }));
export const waitAfterwards = remember(() => ({ afterwards: "waiting" }));
