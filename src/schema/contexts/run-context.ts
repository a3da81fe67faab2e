import { z } from "zod";
import { overBudget } from "../budget.ts";
import { usage } from "../llm.ts";
import { errorData } from "./context-shapes.ts";
import { lineage } from "./lineage.ts";
import { trust } from "./trust.ts";
import { runLimits } from "./run-limits.ts";

export const openCallState = z.enum([
  "executing",
  "awaiting_approval",
  "awaiting_user",
  "outcome_unknown",
  "finished",
]);

export const runContext = z.strictObject({
  ...lineage.shape,
  limits: runLimits,
  round: z.int().nonnegative(),
  calls: z.array(
    z.strictObject({ id: z.string(), child: z.string(), tool: z.string(), state: openCallState }),
  ),
  usage,
  trust,
  /** Those that its row shows beside the chart's. */
  tags: z.array(z.string()),
  /** Of the time that counts: a run's deadline stands still while it waits for a person. */
  remaining_ms: z.number(),
  active_since: z.number().nullable(),
  /** The calls of the last rounds, hashed, newest first; and how many rounds in a row were like the one 1, 2, … rounds before. */
  repeated: z.strictObject({ recent: z.array(z.string()), streaks: z.array(z.int()) }),
  /** Messages that wait to be handed over before the next model call. */
  steered: z.int().nonnegative(),
  /** Somebody asked it to stop after the present step. */
  is_stopping: z.boolean(),
  /** Rounds that only found the history too long, and where it began after the last of them. */
  shortened: z.strictObject({ times: z.int().nonnegative(), from_position: z.int().nonnegative() }),
  /** Rounds that only found a budget used up, and what a person is asked about it now. */
  paused: z.strictObject({
    times: z.int().nonnegative(),
    question: z
      .strictObject({ id: z.string(), over: overBudget, approvers: z.array(z.string()) })
      .nullable(),
  }),
  /** How a run that is cancelling will end. */
  ending: z.enum(["cancelled", "failed"]),
  error: errorData.nullable(),
  /** What it had answered before a message steered it on. */
  earlier_reply: z.string().nullable(),
  reply: z.string().nullable(),
});

export type OpenCallState = z.infer<typeof openCallState>;
export type RunContext = z.infer<typeof runContext>;
