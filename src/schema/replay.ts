import { z } from "zod";
import type { Json } from "./json.ts";
import { isoTime, jsonObject, shownMessage } from "./shown.ts";

/** A run's recorded transitions as people see them, and what today's charts make of them. */

const json = z.json() as unknown as z.ZodType<Json, Json>;
const stepNumber = z.int().min(0);

/** What came with an event that a person wants to read: a message, a model's answer, a call and its result. */
export const frameText = z.strictObject({
  kind: z.enum(["message", "answer", "call", "result", "verdict", "decision", "error"]),
  /** Who or what it is of: the model, the tool, who decided. */
  title: z.string(),
  /** At most 2 048 characters of it. */
  text: z.string(),
  is_cut: z.boolean(),
});

export const replayFrame = z.strictObject({
  seq: stepNumber,
  at: isoTime,
  address: z.string(),
  machine: z.string(),
  event: z.string(),
  outcome: z.enum(["handled", "rejected", "dead"]),
  /** Why it was not handled. */
  reason: z.string().nullable(),
  state_before: z.string().nullable(),
  state_after: z.string().nullable(),
  origin: z.string(),
  /** The step that caused it; null for what came from outside. */
  cause: z.int().nullable(),
  what: frameText.nullable(),
  /** Whether the chart, run again over the recorded events, does the same. */
  replayed: z.enum(["same", "different", "unknown"]),
  /** For `unknown`: what is missing. */
  why: z.string().nullable(),
  /** For `different`. */
  difference: z
    .strictObject({ what: z.string(), expected: z.string(), found: z.string() })
    .nullable(),
});

export const replayPage = z.strictObject({
  run_id: z.string(),
  trace_id: z.string(),
  session_id: z.string(),
  agent_id: z.string(),
  /** The run's state now. */
  state: z.string(),
  started_at: isoTime,
  /** Its beginning is not in the journal any more. */
  is_pruned: z.boolean(),
  /** In the order of the journal. */
  frames: z.array(replayFrame).readonly(),
  /** `after_seq` of the next page; null after the last one there is now. */
  next: z.int().nullable(),
});

/** An actor of the run as it was after a step. */
const actorThen = z.strictObject({
  address: z.string(),
  machine: z.string(),
  state: z.string().nullable(),
  status: z.enum(["active", "done", "stopped", "quarantined"]),
  /** Its last step until then. */
  seq: stepNumber,
});

export const runMoment = z.strictObject({
  run_id: z.string(),
  trace_id: z.string(),
  frame: replayFrame,
  /** The event with its payload. */
  event: jsonObject,
  actors: z.array(actorThen).readonly(),
  /** Of the actor that took the step, after it. */
  value: json.nullable(),
  /** Null where it is not known; then `context_unknown` says why. */
  context: jsonObject.nullable(),
  context_unknown: z.string().nullable(),
  /** The run's part of the conversation until then, the newest of it. */
  messages: z.array(shownMessage).readonly(),
  /** Messages that are left out before those. */
  earlier_messages: z.int().min(0),
  /** Something of the event, the context or a message was too long to be shown whole. */
  is_cut: z.boolean(),
});

export const forkedRun = z.strictObject({
  session_id: z.string(),
  address: z.string(),
  agent_id: z.string(),
  /** The conversation's name: `chat -s NAME` talks on. */
  session: z.string(),
  run_id: z.string(),
  trace_id: z.string(),
  forked_from: z.strictObject({ run_id: z.string(), at: stepNumber }),
  /** Messages that it begins with. */
  messages: z.int().min(0),
  /** Tool calls that had no result at that step: their result says that it was cut off. */
  cut_calls: z.int().min(0),
  /** The conversation was so long that its oldest messages were left behind. */
  is_shortened: z.boolean(),
});

export type ReplayFrame = z.output<typeof replayFrame>;
export type FrameText = z.output<typeof frameText>;
export type ReplayPage = z.output<typeof replayPage>;
export type RunMoment = z.output<typeof runMoment>;
export type ActorThen = z.output<typeof actorThen>;
export type ForkedRun = z.output<typeof forkedRun>;
