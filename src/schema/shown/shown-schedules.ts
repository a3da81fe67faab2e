import { z } from "zod";
import {
  scheduleAfterwards,
  scheduleCommands,
  scheduleOutcomes,
  scheduleSources,
} from "../schedule.ts";
import { errorData, isoTime, shownApproval } from "./shown.ts";

/** What is done at set times, as the owner sees it. */
export const shownSchedule = z.strictObject({
  id: z.string(),
  address: z.string(),
  source: z.enum(scheduleSources).describe("Who made it: `config/schedules.yaml`, or an agent."),
  cron: z.string(),
  timezone: z.string(),
  command: z.enum(scheduleCommands).nullable().describe("What the service does."),
  agent_id: z.string().nullable().describe("Who is told `task` instead."),
  task: z.string().nullable(),
  session_key: z.string().nullable().describe("The conversation that the task is told in."),
  deliver: z
    .strictObject({ connector: z.string(), scope: z.string() })
    .nullable()
    .describe("Where the answer goes besides."),
  state: z
    .string()
    .describe(
      "Of its actor: `waiting`, `catching_up`, `running`, `paused`; `set_aside` after a fault, `not_started` before it lives.",
    ),
  waiting_for: z
    .array(shownApproval)
    .describe("What its run waits for, when it waits for a person; its state is `running` then."),
  afterwards: z
    .enum(scheduleAfterwards)
    .describe("What it will be once what works has ended: a person may have said so meanwhile."),
  next_at: isoTime
    .nullable()
    .describe("Null while it is paused, or catches up, or works for the last time."),
  last_run_at: isoTime.nullable(),
  last_outcome: z.enum(scheduleOutcomes).nullable(),
  last_detail: z.string().nullable(),
  last_run_id: z.string().nullable(),
  missed_at: isoTime.nullable().describe("The time that was missed last, and done later."),
  runs: z.int(),
  skipped: z.int().describe("Times that came while the work of an earlier one went on."),
  failures: z.int().describe("In a row."),
  error: errorData.nullable().describe("Of one that was set aside."),
});

export type ShownSchedule = z.output<typeof shownSchedule>;

/** As the state of the service tells of them. */
export const schedulesInShort = z.strictObject({
  count: z.int(),
  next: z
    .strictObject({ id: z.string(), at: isoTime })
    .nullable()
    .describe("The one that is due first; null where none is."),
  in_need: z
    .array(
      z.strictObject({
        id: z.string(),
        state: z.string(),
        failures: z.int().describe("In a row."),
        detail: z.string().nullable().describe("One line about the last end, or the fault."),
      }),
    )
    .readonly()
    .describe("Those whose last work failed, and those that were set aside."),
});

export type SchedulesInShort = z.output<typeof schedulesInShort>;
