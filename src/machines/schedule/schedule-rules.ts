import type { Delivered } from "../../schema/events/event.ts";
import type { ScheduleContext } from "../../schema/contexts/schedule-context.ts";
import type { ScheduleEvent } from "./schedule-events.ts";

/** The yes/no questions of a schedule's chart, and its times. */

type Asked = { readonly context: ScheduleContext; readonly event: Delivered<ScheduleEvent> };

/** A time that came so long ago came while nothing ran here. */
const lateMs = 120_000;

/** What was missed is done a little after the start, which has enough to do. */
export const catchUpMs = 120_000;

/** What works is looked after so often, where nobody says that it ended. */
export const lookAfterMs = 300_000;

export function wasMissed({ context, event }: Asked): boolean {
  return event.type === "schedule.due" && event.$.at - (context.next_at ?? event.$.at) > lateMs;
}

/** A timer of an earlier plan goes on where the present one has no time. */
export function isPlanned({ context }: Asked): boolean {
  return context.next_at !== null;
}

export function hasNothingToDo({ event }: Asked): boolean {
  return event.type === "partitions.found" && event.partitions.length === 0;
}

export function isOfPresentTask({ context, event }: Asked): boolean {
  const isAboutTask = event.type === "task.ended" || event.type === "task.refused";
  return isAboutTask && event.trace === context.present?.trace;
}

/** The end of the only partition that was still worked on. */
export function isLastPartition({ context, event }: Asked): boolean {
  const partition = partitionOf(event);
  const { open = [] } = context.present ?? {};
  return partition !== undefined && open.length === 1 && open[0] === partition;
}

/** @returns undefined: the event is about no partition */
export function partitionOf(event: ScheduleEvent): string | undefined {
  if (event.type === "consolidation.finished") return event.partition;
  return event.type === "actor.failed" && event.machine === "consolidation"
    ? decodeURIComponent(event.address.slice(event.address.lastIndexOf("/") + 1))
    : undefined;
}

export function isToBeRemoved({ context }: Asked): boolean {
  return context.afterwards === "removed";
}

export function isToPause({ context }: Asked): boolean {
  return context.afterwards === "paused";
}
