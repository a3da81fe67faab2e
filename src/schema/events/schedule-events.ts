import { z } from "zod";
import { type EventEntry, fromPeople, internal, nothing, reason } from "./event-entry.ts";
import { scheduleDefinition } from "../schedule.ts";

/** What schedules hear, and what they say to what works for them. */

const by = z.string().min(1).max(128).describe("Who asks.");

export const schedulePayloads = {
  "schedule.configure": z.strictObject({ definition: scheduleDefinition }),
  "schedule.planned": z.strictObject({ next_at: z.number().nullable() }),
  "schedule.due": nothing,
  "schedule.run": z.strictObject({ by: by.optional() }),
  "schedule.pause": z.strictObject({ by: by.optional() }),
  "schedule.resume": z.strictObject({ by: by.optional() }),
  "schedule.remove": z.strictObject({ reason: reason.optional() }),
  "task.placed": nothing,
  "task.refused": z.strictObject({ trace: z.string(), reason: z.string().optional() }),
  "task.ended": z.strictObject({
    trace: z.string(),
    /** Null: its conversation closed before a run began. */
    run_id: z.string().nullable(),
    state: z.enum(["done", "failed", "cancelled", "dropped"]),
  }),
  "partitions.found": z.strictObject({ partitions: z.array(z.string()) }),
  "consolidation.finished": z.strictObject({
    partition: z.string(),
    outcome: z.enum(["changed", "unchanged", "failed"]),
    /** One line for people. */
    detail: z.string(),
  }),
  "consolidation.cancel": z.strictObject({ reason: reason.optional() }),
} as const;

export const scheduleEntries: { readonly [T in keyof typeof schedulePayloads]: EventEntry } = {
  "schedule.configure": {
    origins: ["api"],
    pokeable: false,
    description: "Its file says something else now.",
  },
  "schedule.planned": internal("When it is due next."),
  "schedule.due": internal("Its time has come."),
  "schedule.run": {
    origins: [...fromPeople],
    pokeable: true,
    description: "Do it now, once; when it is due stays as it is.",
  },
  "schedule.pause": {
    origins: [...fromPeople],
    pokeable: true,
    description: "Do it no more until it is resumed; what works goes on to its end.",
  },
  "schedule.resume": {
    origins: [...fromPeople],
    pokeable: true,
    description: "Do it again when it is due, counted from now.",
  },
  "schedule.remove": {
    origins: [...fromPeople],
    pokeable: false,
    description: "It is wanted no more; what works goes on to its end.",
  },
  "task.placed": internal("Its conversation was told the task."),
  "task.refused": internal("Its conversation did not take the task."),
  "task.ended": internal("The run of its task has ended, or never began."),
  "partitions.found": internal("The memories that have something to consolidate."),
  "consolidation.cancel": {
    origins: [...fromPeople, "actor"],
    pokeable: true,
    description: "Leave the memory as it is; what is being written is written.",
  },
  "consolidation.finished": internal("The memory of one partition is tidied, or could not be."),
};
