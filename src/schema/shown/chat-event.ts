import { z } from "zod";
import { errorData, jsonObject, shownApproval, shownUsage } from "./shown.ts";

/** What a chat tells, in order; `run.finished` is the last. */

const runIds = {
  run_id: z.string(),
  trace_id: z.string(),
  session_id: z.string(),
  agent_id: z.string(),
};

export const chatEvent = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("run.started"), ...runIds }),
  z
    .strictObject({ type: z.literal("message.joined"), message_trace_id: z.string(), ...runIds })
    .describe(
      "A message is answered by a run that it did not begin: `run_id` and `trace_id` are the run's.",
    ),
  z.strictObject({ type: z.literal("text.delta"), text: z.string() }),
  z
    .strictObject({ type: z.literal("text.reset") })
    .describe("A new attempt begins: forget the text of this round."),
  z.strictObject({ type: z.literal("model.retrying"), code: z.string(), wait_ms: z.number() }),
  z
    .strictObject({ type: z.literal("history.shortened") })
    .describe(
      "The conversation was too long for the model: its oldest part is left out from now on.",
    ),
  z.strictObject({
    type: z.literal("tool.started"),
    call_id: z.string(),
    tool: z.string(),
    input: jsonObject,
  }),
  z.strictObject({
    type: z.literal("tool.finished"),
    call_id: z.string(),
    tool: z.string(),
    status: z.string(),
    output: z.string(),
    is_error: z.boolean(),
  }),
  z.strictObject({ type: z.literal("approval.opened"), approval: shownApproval }),
  z.strictObject({
    type: z.literal("approval.decided"),
    id: z.string(),
    state: z.string(),
    decided_by: z.string(),
  }),
  z.strictObject({
    type: z.literal("run.finished"),
    ...runIds,
    status: z.enum(["done", "failed", "cancelled"]),
    reply: z.string().nullable(),
    error: errorData.nullable(),
    usage: shownUsage,
  }),
]);

export type ChatEvent = z.output<typeof chatEvent>;
