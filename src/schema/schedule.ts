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

export type ScheduleDefinition = z.infer<typeof scheduleDefinition>;
export type ScheduleTask = z.infer<typeof task>;
export type ScheduleOutcome = (typeof scheduleOutcomes)[number];
