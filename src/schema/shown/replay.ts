import { z } from "zod";
import type { Json } from "../json.ts";
import { isoTime, jsonObject, shownMessage } from "./shown.ts";
import { shownMemoryHit } from "./shown-memory.ts";

/** A run's recorded transitions as people see them, and what today's charts make of them. */

const json = z.json() as unknown as z.ZodType<Json, Json>;
const stepNumber = z.int().min(0);

export const frameText = z.strictObject({
  kind: z.enum(["message", "answer", "call", "result", "verdict", "decision", "error"]),
  title: z.string().describe("Who or what it is of: the model, the tool, who decided."),
  text: z.string().describe("At most 2,048 characters of it."),
  is_cut: z.boolean(),
});

export const replayFrame = z.strictObject({
  seq: stepNumber,
  at: isoTime,
  address: z.string(),
  machine: z.string(),
  event: z.string(),
  outcome: z.enum(["handled", "rejected", "dead"]),
  reason: z.string().nullable().describe("Why it was not handled."),
  state_before: z.string().nullable(),
  state_after: z.string().nullable(),
  origin: z.string(),
  cause: z.int().nullable().describe("The step that caused it; null for what came from outside."),
  what: frameText
    .nullable()
    .describe("What came with it that people want to read: a message, an answer, a result."),
  replayed: z
    .enum(["same", "different", "unknown"])
    .describe("Whether the chart, run again over the recorded events, does the same."),
  why: z.string().nullable().describe("For `unknown`: what is missing."),
  difference: z
    .strictObject({ what: z.string(), expected: z.string(), found: z.string() })
    .nullable()
    .describe("For `different`."),
});

export const replayPage = z.strictObject({
  run_id: z.string(),
  trace_id: z.string(),
  session_id: z.string(),
  agent_id: z.string(),
  state: z.string().describe("The run's state now."),
  started_at: isoTime,
  is_pruned: z.boolean().describe("Its beginning is not in the journal any more."),
  recalled: z
    .array(shownMemoryHit)
    .readonly()
    .describe("What the run was reminded of, as `runs.show` has it."),
  frames: z.array(replayFrame).readonly().describe("In the order of the journal."),
  next: z
    .int()
    .nullable()
    .describe("`after_seq` of the next page; null after the last one that there is now."),
});

const actorThen = z.strictObject({
  address: z.string(),
  machine: z.string(),
  state: z.string().nullable(),
  status: z.enum(["active", "done", "stopped", "quarantined"]),
  seq: stepNumber.describe("Its last step until then."),
});

export const runMoment = z.strictObject({
  run_id: z.string(),
  trace_id: z.string(),
  frame: replayFrame,
  event: jsonObject.describe("With its payload."),
  actors: z.array(actorThen).readonly().describe("Those of the run, as they were after the step."),
  value: json.nullable().describe("Of the actor that took the step, after it."),
  context: jsonObject
    .nullable()
    .describe("What that actor knew; null where it is not known any more."),
  context_unknown: z.string().nullable().describe("Why it is not."),
  recalled: z
    .array(shownMemoryHit)
    .readonly()
    .describe("What the run was reminded of, from its model's first answer on."),
  messages: z
    .array(shownMessage)
    .readonly()
    .describe("What was said in the run until then, the newest of it."),
  has_earlier_messages: z.boolean().describe("More was said in the run before those."),
  is_cut: z
    .boolean()
    .describe("Something of the event, the context or a message was too long to be shown whole."),
});

export const forkedRun = z.strictObject({
  session_id: z.string(),
  address: z.string(),
  agent_id: z.string(),
  session: z.string().describe("The conversation's name: `chat.send` takes it as `session`."),
  run_id: z.string(),
  trace_id: z.string(),
  forked_from: z.strictObject({ run_id: z.string(), at: stepNumber }),
  messages: z.int().min(0).describe("Those that it begins with."),
  cut_calls: z
    .int()
    .min(0)
    .describe("Tool calls without a result at that step: they got one that says so."),
  is_shortened: z
    .boolean()
    .describe("The conversation was so long that its oldest messages were left behind."),
});

export type ReplayFrame = z.output<typeof replayFrame>;
export type FrameText = z.output<typeof frameText>;
export type ReplayPage = z.output<typeof replayPage>;
export type RunMoment = z.output<typeof runMoment>;
export type ActorThen = z.output<typeof actorThen>;
export type ForkedRun = z.output<typeof forkedRun>;
