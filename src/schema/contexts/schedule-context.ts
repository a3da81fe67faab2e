import { z } from "zod";
import {
  scheduleAfterwards,
  scheduleDefinition,
  scheduleOutcomes,
  scheduleSources,
} from "../schedule.ts";

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
