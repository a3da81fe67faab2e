import { z } from "zod";
import { capabilities, json } from "./context-shapes.ts";
import { lineage } from "./lineage.ts";

export const approvalContext = z.strictObject({
  ...lineage.shape,
  approval_id: z.string(),
  step_id: z.string(),
  kind: z.enum(["call", "question", "outcome", "budget"]),
  tool_call_id: z.string(),
  tool: z.string(),
  input: json,
  binding: z.string(),
  summary: z.string(),
  reason: z.string(),
  risk: z.enum(["safe", "guarded", "unsafe"]),
  requested: capabilities,
  proposed_grants: capabilities,
  pin: z.string().nullable(),
  terms: z.string(),
  /** Untrusted origins that the question shows. */
  accepted: z.array(z.string()),
  approvers: z.array(z.string()),
  options: z.array(z.string()),
  default_answer: z.string(),
  timeout_ms: z.int().positive(),
  created_at: z.number(),
});

export type ApprovalContext = z.infer<typeof approvalContext>;
