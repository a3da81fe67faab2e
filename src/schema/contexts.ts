import { z } from "zod";
import { overBudget } from "./budget.ts";
import { deliveryKinds } from "./rows/channel-rows.ts";
import type { ErrorData } from "./errors.ts";
import { memoryChangeKinds } from "./memory.ts";
import type { JsonObject } from "./json.ts";
import { attachment, inboundMessage, inboundPlace } from "./inbound.ts";
import { usage } from "./llm.ts";

/** What each machine remembers between two steps: small, JSON, no transcripts. */

const capabilities = z.array(z.string());
const json = z.record(z.string(), z.json()) as z.ZodType<JsonObject>;
export const errorData = z.looseObject({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
}) as unknown as z.ZodType<ErrorData>;

/** Ids that every actor below a session carries, so that its rows can be found by any of them. */
const lineage = z.strictObject({
  session_id: z.string(),
  session_address: z.string(),
  agent_id: z.string(),
  task_id: z.string(),
  run_id: z.string(),
  trace_id: z.string(),
});

/** Where that came from which a run knows: `private`: what was read for it and is nobody else's, `untrusted`: what strangers
 *  wrote. Origins look like `file:notes.md` and `web:example.com`. */
export const trust = z.strictObject({
  private: z.array(z.string()),
  untrusted: z.array(z.string()),
});

export const noTrust: z.infer<typeof trust> = { private: [], untrusted: [] };

export const runLimits = z.strictObject({
  max_tool_rounds: z.int().positive(),
  max_identical_calls: z.int().positive(),
  run_timeout_ms: z.int().positive(),
  approval_timeout_ms: z.int().positive(),
});

/** What a run has until its slot brings the limits of its agent; where that agent is gone, enough for the word that says so. */
export const unpinned = {
  limits: {
    max_tool_rounds: 1,
    max_identical_calls: 1,
    run_timeout_ms: 60_000,
    approval_timeout_ms: 60_000,
  },
  remaining_ms: 60_000,
};

export const systemContext = z.strictObject({
  children: z.array(
    z.strictObject({
      id: z.string(),
      machine: z.string(),
      input: json,
      restart: z.enum(["permanent", "transient", "temporary"]),
    }),
  ),
  max_restarts: z.int().nonnegative(),
  within_ms: z.int().positive(),
  backoff_ms: z.int().nonnegative(),
  /** When which child was restarted, within the window. */
  restarts: z.array(z.strictObject({ address: z.string(), at: z.number() })),
  /** What was given up or set aside, newest last, at most 20. */
  failures: z.array(z.strictObject({ address: z.string(), message: z.string(), at: z.number() })),
  tags: z.array(z.string()),
});

/** What of a conversation a model is shown; see `HistoryCut`. */
export const cut = z.strictObject({
  from_position: z.int().nonnegative(),
  kept: z.array(z.int()),
});

/** Why a conversation is shortened between two runs: its messages are more than are shown, its tokens more than it may have, the
 *  model refused it as too long, or a person asked. */
export const compactionReasons = ["messages", "tokens", "refused", "asked"] as const;

/** What the model said of one part of what is to be left out. */
export const summarized = z.strictObject({
  summary: z.string(),
  /** For memory, each a sentence. */
  facts: z.array(z.string()),
  /** Where they go; null: nowhere. */
  partition: z.string().nullable(),
  /** It tells of the messages before this position. */
  until: z.int().nonnegative(),
});

export const sessionContext = z.strictObject({
  key: z.string(),
  address: z.string(),
  agent_id: z.string(),
  session_id: z.string(),
  queued: z.int().nonnegative(),
  queue_cap: z.int().positive(),
  /** An idle session closes after this time. */
  ttl_ms: z.int().positive(),
  /** The run that works now; `interrupted` once a message has asked for its end. */
  run: z.strictObject({ id: z.string(), address: z.string(), interrupted: z.boolean() }).nullable(),
  /** What its runs have come to know. */
  trust,
  /** Those that its row shows beside the chart's. */
  tags: z.array(z.string()),
  /** Runs that this session has begun. */
  runs: z.int().nonnegative(),
  /** While it is compacting: what is to be left out, and what was summed up of it last. */
  compaction: z
    .strictObject({
      cut,
      reason: z.enum(compactionReasons),
      /** Tokens of what is to be summed up, at most. */
      tokens: z.int().nonnegative(),
      parts: z.int().nonnegative(),
      summarized: z.strictObject({ ...summarized.shape, at: z.number() }).nullable(),
    })
    .nullable(),
});

/** The short account of a conversation that ended without having written to memory. */
export const episodeContext = z.strictObject({
  session_id: z.string(),
  session_address: z.string(),
  agent_id: z.string(),
  partition: z.string(),
  /** When the conversation ended. */
  at: z.number(),
  origins: z.array(z.string()),
  text: z.string().nullable(),
  error: errorData.nullable(),
});

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

export const connectorContext = z.strictObject({
  connector_id: z.string(),
  type: z.string(),
  intake: z.enum(["polling", "webhook"]),
  /** What the next receiving begins after. */
  cursor: z.string().nullable(),
  /** When the last update came. */
  last_update_at: z.number().nullable(),
  /** The account, once the channel has said it. */
  identity: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
  /** In a row. */
  failures: z.int().nonnegative(),
  conflicts: z.int().nonnegative(),
  /** It has received since it was started: if somebody else receives now, that one came later. */
  is_settled: z.boolean(),
  /** The last one; null while all is well. */
  error: errorData.nullable(),
  /** Updates, since it was made. */
  accepted: z.int().nonnegative(),
  refused: z.int().nonnegative(),
});

export const deliveryContext = z.strictObject({
  delivery_id: z.string(),
  connector_id: z.string(),
  scope: z.string(),
  kind: z.enum(deliveryKinds),
  about: z.string().nullable(),
  /** The message of ours that its first part replaces. */
  edits: z.string().nullable(),
  /** The part that is sent next, counted from 0, and those that arrived. */
  part: z.int().nonnegative(),
  message_ids: z.array(z.string()),
  /** Of the present part. */
  attempts: z.int().nonnegative(),
  created_at: z.number(),
  error: errorData.nullable(),
});

export const missedReasons = [
  "too_large",
  "too_many",
  "too_much_together",
  "refused",
  "unreachable",
  "not_kept",
  "cancelled",
] as const;

/** A file that a person sent, on its way into the agent's workspace. `bytes` and `media_type` are right once it is kept. */
const sentFile = z.strictObject({
  ...attachment.shape,
  /** Where it is kept, below the workspace. */
  path: z.string(),
  state: z.enum(["awaited", "kept", "missed"]),
  missed: z.enum(missedReasons).nullable(),
});

/** A message that waits for its files, or for those of the one before it. */
const waitingMessage = z.strictObject({
  place: inboundPlace,
  conversation: z.enum(["private", "group"]),
  said: inboundMessage,
  /** An album that more may belong to. */
  is_open: z.boolean(),
  files: z.array(sentFile),
});

export const downloadContext = z.strictObject({
  download_id: z.string(),
  connector_id: z.string(),
  scope: z.string(),
  user_scope: z.string(),
  /** In the order in which they came. */
  messages: z.array(waitingMessage),
  /** Messages, files and messages with something for the agent, so far. */
  taken: z.int().nonnegative(),
  numbered: z.int().nonnegative(),
  handed: z.int().nonnegative(),
});

const changedFile = z.strictObject({
  path: z.string(),
  partition: z.string(),
  kind: z.enum(memoryChangeKinds),
  before: z.string().nullable(),
  after: z.string().nullable(),
  bytes: z.int().nonnegative(),
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
});

export const memoryChangeContext = z.strictObject({
  /** What is to be done; or the name under which it is staged. */
  changes: z.union([z.string(), z.array(z.looseObject({ op: z.string() }))]),
  kind: z.enum(memoryChangeKinds),
  by: z.string(),
  reason: z.string(),
  session_id: z.string().nullable(),
  /** What became of it. */
  changed: z.array(changedFile),
  error: errorData.nullable(),
});

export type Lineage = z.infer<typeof lineage>;
export type RunLimits = z.infer<typeof runLimits>;
export type SystemContext = z.infer<typeof systemContext>;
export type SessionContext = z.infer<typeof sessionContext>;
export type Cut = z.infer<typeof cut>;
export type OpenCallState = z.infer<typeof openCallState>;
export type Summarized = z.infer<typeof summarized>;
export type CompactionReason = (typeof compactionReasons)[number];
export type EpisodeContext = z.infer<typeof episodeContext>;
export type RunContext = z.infer<typeof runContext>;
export type Trust = z.infer<typeof trust>;
export type VerdictGiven = z.infer<typeof verdictGiven>;
export type ToolCallContext = z.infer<typeof toolCallContext>;
export type ApprovalContext = z.infer<typeof approvalContext>;
export type ConnectorContext = z.infer<typeof connectorContext>;
export type DeliveryContext = z.infer<typeof deliveryContext>;
export type MissedReason = (typeof missedReasons)[number];
export type SentFile = z.infer<typeof sentFile>;
export type WaitingMessage = z.infer<typeof waitingMessage>;
export type DownloadContext = z.infer<typeof downloadContext>;
export type MemoryChangeContext = z.infer<typeof memoryChangeContext>;
