import type { EventOf } from "../../schema/events/events.ts";
import type { ScheduleContext } from "../../schema/contexts/schedule-context.ts";

export type ScheduleInput = Pick<ScheduleContext, "schedule_id" | "source" | "definition">;

/** One that tidies the memory of one partition. */
export type ConsolidationInput = {
  readonly partition: string;
  /** Who changes the files: `schedule:consolidate`. */
  readonly by: string;
};

export type ScheduleEvent =
  | EventOf<"schedule.configure">
  | EventOf<"schedule.planned">
  | EventOf<"schedule.due">
  | EventOf<"schedule.run">
  | EventOf<"schedule.pause">
  | EventOf<"schedule.resume">
  | EventOf<"schedule.remove">
  | EventOf<"task.placed">
  | EventOf<"task.refused">
  | EventOf<"task.ended">
  | EventOf<"partitions.found">
  | EventOf<"consolidation.finished">
  | EventOf<"actor.failed">;
