import { z } from "zod";
import { capabilities, json } from "./context-shapes.ts";
import { lineage } from "./lineage.ts";
import { trust } from "./trust.ts";

export const verdictGiven = z.strictObject({
  verdict: z.enum(["run", "ask", "question", "deny", "invalid"]),
  risk: z.enum(["safe", "guarded", "unsafe"]),
  reason: z.string(),
  summary: z.string(),
  requested: capabilities,
  granted: capabilities,
  proposed_grants: capabilities,
  /** What a stored grant must have been given for to cover this call; null: nothing in particular. */
  pin: z.string().nullable(),
  /** The same in words, beside the proposed grants. */
  terms: z.string(),
  /** What its result would add to what the run knows. */
  brings: trust,
  question: z.string(),
  options: z.array(z.string()),
  /** Who may answer where a person is asked, besides the owner at the local surfaces. */
  approvers: z.array(z.string()),
  binding: z.string(),
});

export const toolCallContext = z.strictObject({
  ...lineage.shape,
  step_id: z.string(),
  call: z.strictObject({ id: z.string(), name: z.string(), input: json }),
  approval_timeout_ms: z.int().positive(),
  /** What the run knew when the model asked for the call. */
  trust,
  verdict: verdictGiven.nullable(),
  /** The approval that waits, or that allowed this call. */
  approval: z.strictObject({ id: z.string() }).nullable(),
  /** The person who allowed it to run, and with which word: `approved`, or `retry` after an interruption. */
  allowed: z.strictObject({ by: z.string(), word: z.string() }).nullable(),
  /** True while nobody knows whether the last execution took effect. */
  is_outcome_unknown: z.boolean(),
  started_at: z.number(),
});

export type VerdictGiven = z.infer<typeof verdictGiven>;
export type ToolCallContext = z.infer<typeof toolCallContext>;
