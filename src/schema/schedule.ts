import { z } from "zod";
import { trust } from "./contexts/trust.ts";

/** What is done again and again at set times, as its actor keeps it. */

export const scheduleCommands = ["RunScheduledConsolidation"] as const;

/** Something that the service itself knows how to do. */
const command = z.strictObject({ kind: z.literal("command"), command: z.enum(scheduleCommands) });

/** Something that an agent is told, in the conversation of this session. */
const task = z.strictObject({
  kind: z.literal("task"),
  agent_id: z.string(),
  text: z.string(),
  session_key: z.string(),
  /** What its runs may do at most; null: what the agent may. */
  boundary: z.array(z.string()).nullable(),
  /** What whoever made it knew then. */
  trust,
  /** Where the answer goes besides; null: nowhere else. */
  deliver: z.strictObject({ connector: z.string(), scope: z.string() }).nullable(),
});

export const scheduleDefinition = z.strictObject({
  cron: z.string(),
  /** As it was written, and the region that it stands for. */
  timezone: z.string(),
  zone: z.string(),
  work: z.discriminatedUnion("kind", [command, task]),
});

/** Who made it: `config/schedules.yaml`, or an agent in a conversation. */
export const scheduleSources = ["config", "agent"] as const;

/** How its work ended last: `refused` and `dropped`: its conversation did not take the task, or closed before it began. */
export const scheduleOutcomes = [
  "done",
  "nothing_to_do",
  "cancelled",
  "failed",
  "refused",
  "dropped",
] as const;

/** What it is once its work has ended, as a person has said it meanwhile. */
export const scheduleAfterwards = ["waiting", "paused", "removed"] as const;

export const scheduleContext = z.strictObject({
  schedule_id: z.string(),
  source: z.enum(scheduleSources),
  definition: scheduleDefinition,
  created_at: z.number(),
  /** Null before it is planned, and where no time ever comes. */
  next_at: z.number().nullable(),
  /** When it was begun last; nothing is planned before that, also where the clock is set back. */
  last_begun_at: z.number().nullable(),
  last_run_at: z.number().nullable(),
  last_outcome: z.enum(scheduleOutcomes).nullable(),
  /** One line for people about the last end. */
  last_detail: z.string().nullable(),
  /** The run that did the task last. */
  last_run_id: z.string().nullable(),
  /** The time that was missed last, because nothing ran then; what was due is done once afterwards. */
  missed_at: z.number().nullable(),
  runs: z.int().nonnegative(),
  /** Times that came while the work of an earlier one went on. */
  skipped: z.int().nonnegative(),
  /** In a row. */
  failures: z.int().nonnegative(),
  /** What works for it now; `open`: the partitions that are not tidied yet. */
  present: z
    .strictObject({
      trace: z.string(),
      open: z.array(z.string()),
      failed: z.int(),
      changed: z.int(),
    })
    .nullable(),
  afterwards: z.enum(scheduleAfterwards),
});

export type ScheduleContext = z.infer<typeof scheduleContext>;
export type ScheduleDefinition = z.infer<typeof scheduleDefinition>;
export type ScheduleTask = z.infer<typeof task>;
export type ScheduleOutcome = (typeof scheduleOutcomes)[number];
