import { z } from "zod";
import { auditKinds } from "../rows/audit-rows.ts";
import { budgetScopes } from "../budget.ts";
import { type ErrorCode, errorCodes } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { usage } from "../llm.ts";
import { approvalStates, decisionScopes, grantScopes } from "../rows/permission-rows.ts";

/** Rows as people and scripts see them: times are ISO 8601 in UTC, engine's own numbers are left out. The types are made from
 *  these shapes, and the tests hold every answer to them. */

export const isoTime = z.iso.datetime();
export const strings = z.array(z.string()).readonly();
export const jsonObject = z.record(z.string(), z.json()) as unknown as z.ZodType<
  JsonObject,
  JsonObject
>;
export const json = z.json() as unknown as z.ZodType<JsonObject[string], JsonObject[string]>;

export const errorData = z.strictObject({
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  retryable: z.boolean(),
  retry_after_ms: z.number().exactOptional(),
  hint: z.string().exactOptional(),
  details: jsonObject.exactOptional(),
});

export const shownAgent = z.strictObject({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  emoji: z.string().nullable(),
  state: z.enum(["enabled", "disabled"]),
  is_default: z.boolean().describe("Answers messages that no binding takes."),
  model: z
    .string()
    .nullable()
    .describe("Who would answer now: `offline/rules`; null where nobody would."),
  model_fault: z.string().nullable(),
  tools: strings,
  config_hash: z.string().describe("What a run that begins now is pinned to."),
});

export const shownAgentDetails = shownAgent.extend({
  config: jsonObject.describe("With every default filled in; the prompts are told by their files."),
  prompts: strings.describe("Files, relative to the home."),
  bindings: z
    .array(jsonObject)
    .readonly()
    .describe("The bindings of routing.yaml that lead to it."),
});

export const shownApproval = z.strictObject({
  id: z.string(),
  address: z.string(),
  kind: z.enum(["call", "question", "outcome", "budget"]),
  state: z.enum(approvalStates),
  tool: z.string(),
  summary: z.string(),
  risk: z.enum(["safe", "guarded", "unsafe"]),
  input: jsonObject,
  binding: z.string(),
  reason: z.string(),
  requested: strings,
  proposed_grants: strings,
  terms: z.string().describe("What else a grant of these would be bound to; empty: nothing."),
  approvers: strings,
  options: strings,
  default_answer: z.string(),
  session_id: z.string(),
  run_id: z.string(),
  step_id: z.string(),
  agent_id: z.string(),
  trace_id: z.string(),
  created_at: isoTime,
  expires_at: isoTime,
  decided_at: isoTime.nullable(),
  decided_by: z.string().nullable(),
  scope: z.enum(decisionScopes).nullable(),
  until: isoTime
    .nullable()
    .describe("When the grant that was given with it ends, if before its owner."),
  answer: z.string().nullable(),
});

export const shownUsage = usage
  .extend({
    calls: z.int(),
    cost_usd: z.number().nullable(),
    unpriced_calls: z.int(),
  })
  .describe(
    "What model calls used. `input_tokens` has the cached ones in it; `cost_usd` is of the calls whose price is known, null where no call has one.",
  );

export const shownBudget = z
  .strictObject({
    scope: z.enum(budgetScopes),
    total: z.string().describe("Whose: `session/s3`, `agent/main/day/2026-01-31`."),
    kind: z.enum(["tokens", "usd"]),
    limit: z.number(),
    allowed: z.number().describe("What people have allowed beyond it."),
    used: z.number(),
    held: z.number().describe("For model calls that are under way."),
    left: z.number(),
  })
  .describe(
    "A limit of the present configuration and what counts against it: tokens, or US dollars.",
  );

export const shownRun = z.strictObject({
  run_id: z.string(),
  address: z.string(),
  session_id: z.string(),
  agent_id: z.string(),
  task_id: z.string(),
  trace_id: z.string(),
  state: z.string().describe("The state of its actor while it lives: `awaiting_approval`."),
  started_at: isoTime,
  ended_at: isoTime.nullable(),
  usage: shownUsage,
  retries: z.int().describe("Attempts beyond the first of a model call."),
  reply: z.string().nullable(),
  error: errorData.nullable(),
  config_hash: z
    .string()
    .nullable()
    .describe("The agent's configuration that the run works with; null while it waits for a slot."),
});

export const shownSession = z.strictObject({
  session_id: z.string(),
  key: z.string(),
  label: z
    .string()
    .describe("The conversation as people know it: `cli`; on a channel `tg_ops -100123 1001`."),
  address: z.string(),
  agent_id: z.string(),
  state: z
    .string()
    .describe(
      "`idle`, `running`, `compacting.summarizing`, `compacting.flushing`, `closing` or `closed`.",
    ),
  created_at: isoTime,
  last_at: isoTime,
  closed_at: isoTime.nullable(),
});

export const shownTask = z.strictObject({
  task_id: z.string(),
  session_id: z.string(),
  agent_id: z.string(),
  trace_id: z.string(),
  text: z.string(),
  boundary: strings,
  state: z.enum(["open", "done", "failed", "cancelled"]),
  created_at: isoTime,
  ended_at: isoTime.nullable(),
});

export const shownStep = z.strictObject({
  step_id: z.string(),
  run_id: z.string(),
  number: z.int(),
  action: z.enum(["respond", "tool_call", "finish", "shorten", "pause"]).nullable(),
  started_at: isoTime,
  ended_at: isoTime.nullable(),
});

export const shownMessage = z.strictObject({
  role: z.enum(["user", "assistant", "tool"]),
  content: z.array(jsonObject).readonly(),
  run_id: z.string(),
  at: isoTime,
});

export const shownMark = z
  .strictObject({
    workspace: z.string(),
    path: z.string(),
    origins: strings.describe("Whose text: `web:example.com`."),
    at: isoTime,
  })
  .describe("A file that holds text of strangers; `.`: any file of the workspace may.");

export const shownGrant = z
  .strictObject({
    id: z.string(),
    scope: z.enum(grantScopes),
    owner: z.string(),
    effect: z.enum(["allow", "deny"]),
    tool: z.string(),
    capability: z.string(),
    terms: z.string(),
    approval_id: z.string(),
    given_by: z.string(),
    given_at: isoTime,
    expires_at: isoTime.nullable(),
    session_id: z.string(),
    agent_id: z.string(),
  })
  .describe("A decision of a person about calls like one, for as long as its owner lives.");

export const shownAudit = z.strictObject({
  n: z.int(),
  at: isoTime,
  kind: z.enum(auditKinds),
  trace_id: z.string(),
  task_id: z.string(),
  run_id: z.string(),
  step_id: z.string(),
  session: z.string(),
  agent: z.string(),
  tool_call_id: z.string(),
  tool: z.string(),
  input: json.describe("Secrets replaced."),
  input_hash: z.string(),
  requested_capabilities: strings,
  granted_capabilities: strings,
  approval_required: z.literal([0, 1]),
  approval_result: z.string().nullable(),
  decided_by: z.string().nullable(),
  start_at: isoTime,
  end_at: isoTime,
  status: z.string(),
  reason: z
    .string()
    .nullable()
    .describe("Why it was decided so; null in rows from before reasons were kept."),
  error: json,
  prev_hash: z.string(),
  hash: z.string(),
});

export type ShownApproval = z.output<typeof shownApproval>;
export type ShownBudget = z.output<typeof shownBudget>;
export type ShownUsage = z.output<typeof shownUsage>;
export type ShownAgent = z.output<typeof shownAgent>;
export type ShownAgentDetails = z.output<typeof shownAgentDetails>;
export type ShownRun = z.output<typeof shownRun>;
export type ShownSession = z.output<typeof shownSession>;
export type ShownTask = z.output<typeof shownTask>;
export type ShownStep = z.output<typeof shownStep>;
export type ShownMessage = z.output<typeof shownMessage>;
export type ShownMark = z.output<typeof shownMark>;
export type ShownGrant = z.output<typeof shownGrant>;
export type ShownAudit = z.output<typeof shownAudit>;
