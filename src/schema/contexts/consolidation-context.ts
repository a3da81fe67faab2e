import { z } from "zod";
import { consolidationPlan } from "../consolidation.ts";
import { errorData } from "./context-shapes.ts";

export const consolidationContext = z.strictObject({
  partition: z.string(),
  /** `schedule:consolidate`, `cli`. */
  by: z.string(),
  /** Nothing is changed. */
  is_dry_run: z.boolean(),
  /** A person asked, who looks; otherwise the schedule above hears how it ended. */
  is_by_hand: z.boolean(),
  at: z.number(),
  /** Times that the files were read; they may be edited meanwhile. */
  tries: z.int().nonnegative(),
  /** What the rules alone make of them, then what the model's proposal adds; null before they were read. */
  plan: consolidationPlan.nullable(),
  /** Tokens of the question to the model at most; null: there is nothing to ask. */
  question_tokens: z.int().nullable(),
  /** The same whenever the same is asked. */
  question_mark: z.string().nullable(),
  /** `provider/model` that was asked. */
  model: z.string().nullable(),
  is_changed: z.boolean(),
  /** Why the model was not asked or did not answer; why it failed. */
  error: errorData.nullable(),
});

export type ConsolidationContext = z.infer<typeof consolidationContext>;
