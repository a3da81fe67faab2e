import { z } from "zod";
import { usage } from "../llm.ts";
import { errorData, isoTime } from "./shown.ts";

/** What those who watch are told of a committed step. News carry ids and facts, never what was said or written: that stands
 *  in the rows that the ids name. */

export const sidecarEventTypes = [
  "MessageAccepted",
  "ReplyReady",
  "TaskFailed",
  "NeedHumanApproval",
  "ToolExecuted",
  "MemoryReadRequested",
  "MemoryWriteRequested",
  "EpisodeWritten",
  "ConsolidationCompleted",
] as const;

/** Who and where; null as far as it does not exist yet. */
const whereabouts = {
  seq: z
    .int()
    .describe("The step that it tells of, in the journal: rising; two events may tell of one."),
  at: isoTime,
  channel_type: z.string(),
  connector_id: z.string(),
  conversation_scope: z.string(),
  user_scope: z.string(),
  agent_id: z.string(),
  session_id: z.string(),
  trace_id: z.string(),
  task_id: z.string().nullable(),
  run_id: z.string().nullable(),
} as const;

const belongsToNoSession = {
  channel_type: z.null(),
  connector_id: z.string().nullable(),
  conversation_scope: z.null(),
  user_scope: z.null(),
  agent_id: z.string().nullable().describe("Null: of what agents share."),
  session_id: z.null(),
} as const;

export const sidecarEvent = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("MessageAccepted"),
    ...whereabouts,
    queued: z.boolean().describe("A run works already: the message waits its turn."),
  }),
  z.strictObject({
    type: z.literal("ReplyReady"),
    ...whereabouts,
    duration_ms: z.number(),
    usage,
  }),
  z.strictObject({
    type: z.literal("TaskFailed"),
    ...whereabouts,
    status: z.enum(["failed", "cancelled"]),
    error: errorData.nullable(),
    duration_ms: z.number(),
    usage,
  }),
  z.strictObject({
    type: z.literal("NeedHumanApproval"),
    ...whereabouts,
    approval_id: z.string(),
    kind: z.string(),
    tool: z.string(),
    summary: z.string(),
    risk: z.string(),
    expires_at: isoTime,
  }),
  z.strictObject({
    type: z.literal("ToolExecuted"),
    ...whereabouts,
    tool_call_id: z.string(),
    tool: z.string(),
    status: z.enum(["done", "failed", "cancelled"]),
    duration_ms: z.number(),
  }),
  z.strictObject({
    type: z.literal("MemoryReadRequested"),
    ...whereabouts,
    by: z
      .enum(["recall", "tool"])
      .describe("Before the run's first model call; or its model asks."),
  }),
  z.strictObject({
    type: z.literal("MemoryWriteRequested"),
    ...whereabouts,
    by: z
      .enum(["tool", "compaction"])
      .describe("The model asks; or what is about to be summed up is kept first."),
  }),
  z.strictObject({
    type: z.literal("EpisodeWritten"),
    ...whereabouts,
    partition: z.string(),
  }),
  z.strictObject({
    type: z.literal("ConsolidationCompleted"),
    ...whereabouts,
    ...belongsToNoSession,
    partition: z.string(),
    status: z.enum(["done", "failed"]),
    is_dry_run: z.boolean(),
    changed: z.boolean().describe("Files are different now."),
    duration_ms: z.number(),
  }),
]);

export type SidecarEvent = z.output<typeof sidecarEvent>;
export type SidecarEventType = SidecarEvent["type"];
export type TaskFailed = Extract<SidecarEvent, { type: "TaskFailed" }>;
export type NeedHumanApproval = Extract<SidecarEvent, { type: "NeedHumanApproval" }>;
export type Whereabouts = Pick<TaskFailed, keyof typeof whereabouts>;

/** A piece of what a model says, while it says it. */
export type TextPiece = {
  readonly type: "text.delta";
  readonly trace_id: string;
  readonly address: string;
  /** One attempt of one activity: the pieces of one source, joined, are its text. */
  readonly source: string;
  readonly text: string;
};
