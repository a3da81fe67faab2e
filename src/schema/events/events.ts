import { z } from "zod";
import { channelEntries, channelPayloads } from "./channel-events.ts";
import { compactionEntries, compactionPayloads } from "./compaction-events.ts";
import { openCallState } from "../contexts/run-context.ts";
import { runLimits } from "../contexts/run-limits.ts";
import { trust } from "../contexts/trust.ts";
import { verdictGiven } from "../contexts/tool-call-context.ts";
import type { EventRegistry, EventSpec } from "./event.ts";
import { type EventEntry, fromPeople, internal, nothing, reason } from "./event-entry.ts";
import type { JsonObject } from "../json.ts";
import { usage } from "../llm.ts";
import { decisionScopes } from "../rows/permission-rows.ts";
import { longestText, queueModes } from "../queue.ts";
import { scheduleEntries, schedulePayloads } from "./schedule-events.ts";
import { taskBoundary } from "../task-boundary.ts";

/** Every event by name: its payload, who may send it, and whether a person may poke it. */

const error = z.looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() });

const changedIds = z.strictObject({
  added: z.array(z.string()),
  changed: z.array(z.string()),
  removed: z.array(z.string()),
});

/** The owner has taken the person off the list of those who may answer, since the question was put. */
const isBarred = z.literal(true).optional();

export const payloads = {
  "actor.failed": z.strictObject({ address: z.string(), machine: z.string(), error }),
  "activity.stopped": z.strictObject({
    activity: z.string(),
    ended: z.enum(["not_started", "completed", "aborted", "unknown"]),
    output: z.json().optional(),
    error: error.optional(),
  }),
  "system.start": nothing,
  "system.drain": nothing,
  "system.stop": nothing,
  "config.reloaded": z.strictObject({
    by: z.string().max(300),
    /** Ids and keys that differ now. */
    agents: changedIds,
    providers: changedIds,
    settings: z.array(z.string()),
  }),
  "child.restart": z.strictObject({ address: z.string() }),
  "mark.clear": z.strictObject({
    workspace: z.string(),
    path: z.string(),
    origins: z.array(z.string()),
    by: z.string().min(1).max(128),
  }),
  ...channelPayloads,
  ...compactionPayloads,
  ...schedulePayloads,
  "message.received": z.strictObject({
    text: z.string().min(1).max(longestText).describe("What is said."),
    queue: z
      .enum(queueModes)
      .optional()
      .describe("What becomes of it while a run works; without it, it waits for its turn."),
    boundary: taskBoundary.optional().describe("What its task may do at most."),
    trust: trust.optional().describe("What whoever wrote it had read, where that was an agent."),
    ttl_ms: z
      .int()
      .positive()
      .optional()
      .describe("How long the session stays open after it, idle; without it, as long as before."),
  }),
  "inbox.taken": z.strictObject({
    seq: z.int(),
    text: z.string(),
    trace: z.string(),
    at: z.number(),
    boundary: z.array(z.string()).optional(),
  }),
  "inbox.joined": z.strictObject({ seq: z.int(), trace: z.string(), run_trace: z.string() }),
  "inbox.handed": z.strictObject({ seq: z.int(), text: z.string(), trace: z.string() }),
  "message.steered": z.strictObject({ seq: z.int() }),
  "message.edited": z.strictObject({ seq: z.int(), text: z.string().min(1).max(longestText) }),
  "session.cancel": z.strictObject({ reason: reason.optional() }),
  "grant.given": z.strictObject({ grant_id: z.string(), expires_at: z.number() }),
  "grant.expired": z.strictObject({ grant_id: z.string() }),
  "grant.revoke": z.strictObject({ grant_id: z.string(), by: z.string().min(1).max(128) }),
  "grant.found": z.strictObject({
    grant_id: z.string(),
    by: z.string(),
    tool: z.string(),
    capability: z.string(),
    scope: z.enum(decisionScopes),
    run_id: z.string(),
    step_id: z.string(),
    trace_id: z.string(),
  }),
  "run.finished": z.strictObject({
    run_id: z.string(),
    state: z.enum(["done", "failed", "cancelled"]),
    usage,
    /** What it knew in the end; absent from runs of before. */
    trust: trust.optional(),
  }),
  /** With the agent's configuration of this moment; null where the agent is not configured any more. */
  "slot.granted": z.strictObject({
    pin: z
      .strictObject({
        hash: z.string(),
        /** No run was pinned to it before. */
        is_new: z.boolean(),
        limits: runLimits,
        boundary: z.array(z.string()),
      })
      .nullable(),
  }),
  "run.cancel": z.strictObject({ reason: reason.optional() }),
  "run.stop_after_step": nothing,
  "run.steered": nothing,
  "call.changed": z.strictObject({
    call_id: z.string(),
    state: openCallState,
    /** With its end: what its result adds to what the run knows. */
    brings: trust.optional(),
  }),
  "call.cancel": z.strictObject({ reason: reason.optional() }),
  "verdict.given": verdictGiven,
  "approval.decide": z.strictObject({
    decision: z.enum(["approve", "deny"]),
    scope: z.enum(decisionScopes),
    /** When the grant that is given with it ends, in milliseconds. */
    until: z.number().optional(),
    /** Directories that are granted instead of the proposed paths in them. */
    grants: z.array(z.string()).optional(),
    by: z.string().min(1).max(128),
    reason: reason.optional(),
    /** Of the question as the person saw it. */
    binding: z.string().max(128).optional(),
    is_barred: isBarred,
  }),
  "approval.answer": z.strictObject({
    value: z.string().min(1).max(20_000),
    by: z.string().min(1).max(128),
    binding: z.string().max(128).optional(),
    is_barred: isBarred,
  }),
  "approval.cancel": z.strictObject({ reason: reason.optional() }),
  "approval.decided": z.strictObject({
    approval_id: z.string(),
    state: z.enum(["approved", "denied", "answered", "expired", "cancelled"]),
    answer: z.string(),
    decided_by: z.string(),
  }),
} as const;

export type EventType = keyof typeof payloads;
export type EventOf<T extends EventType> = { readonly type: T } & Readonly<
  z.infer<(typeof payloads)[T]>
>;

const entries: { readonly [T in EventType]: EventEntry } = {
  "actor.failed": internal(
    "An actor was set aside after one of its steps failed; its supervisor hears of it.",
  ),
  "activity.stopped": internal("A stopped activity has ended, and how."),
  "system.start": {
    origins: ["api"],
    pokeable: false,
    description: "Everything is in place: serve.",
  },
  "system.drain": {
    origins: ["api"],
    pokeable: false,
    description: "Take no more; let what runs end.",
  },
  "system.stop": { origins: ["api"], pokeable: false, description: "The service ends now." },
  "config.reloaded": {
    origins: ["api"],
    pokeable: false,
    description: "The configuration was read again and is at work: who asked, and what differs.",
  },
  "mark.clear": {
    origins: fromPeople,
    pokeable: false,
    description: "A person has looked: a file holds no text of strangers any more.",
  },
  "child.restart": internal("A supervised child's back-off is over."),
  ...channelEntries,
  ...compactionEntries,
  ...scheduleEntries,
  "message.received": {
    origins: fromPeople,
    pokeable: true,
    description: "A person says something.",
  },
  "inbox.taken": internal("The next waiting message of the session begins a run."),
  "inbox.joined": internal("A waiting message is answered by the run that another one begins."),
  "inbox.handed": internal("A waiting message reaches the run that works, as its model is asked."),
  "message.steered": internal("A waiting message went into the present run."),
  "message.edited": {
    origins: ["channel"],
    pokeable: false,
    description: "A person has changed what waits for its turn.",
  },
  "session.cancel": {
    origins: [...fromPeople, "actor"],
    pokeable: true,
    description: "Close the session: its run is cancelled, its grants die.",
  },
  "grant.given": internal("A person allowed or denied something until a time, and it ends then."),
  "grant.expired": internal("The time of a grant has come."),
  "grant.revoke": {
    origins: fromPeople,
    pokeable: false,
    description: "A person takes back what was granted.",
  },
  "grant.found": internal("What a grant that a person takes back was given for."),
  "run.finished": internal("A run has ended."),
  "slot.granted": internal(
    "The service has room for this run, which from now on works with this configuration.",
  ),
  "run.cancel": {
    origins: [...fromPeople, "actor"],
    pokeable: true,
    description: "Stop the run; asked twice, what cannot be stopped is left behind as unknown.",
  },
  "run.stop_after_step": {
    origins: [...fromPeople, "actor"],
    pokeable: true,
    description:
      "Let the present step end, with the tool calls it asked for, and stop then; at once where it only waits.",
  },
  "run.steered": internal("A message waits to be handed over before the next model call."),
  "call.changed": internal("A tool call began to execute, waits for somebody, or has ended."),
  "call.cancel": {
    origins: [...fromPeople, "actor"],
    pokeable: true,
    description: "Stop this tool call; the model is told.",
  },
  "verdict.given": internal("What the policy says of a tool call."),
  "approval.decide": {
    origins: fromPeople,
    pokeable: false,
    description: "A person allows or denies a call.",
  },
  "approval.answer": {
    origins: fromPeople,
    pokeable: false,
    description: "A person answers a question.",
  },
  "approval.cancel": internal("The question is void: what it was about has ended."),
  "approval.decided": internal("A question has ended, and how."),
};

/** What people are told of an event; of one that is not known, its name alone. */
export function describeEvent(type: string) {
  const { pokeable = false, description = "" } = eventRegistry[type] ?? {};
  return { type, pokeable, description };
}

export const eventRegistry: EventRegistry = Object.fromEntries(
  Object.entries(entries).map(([type, entry]): [string, EventSpec] => [
    type,
    { ...entry, payload: payloads[type as EventType] as unknown as z.ZodType<JsonObject> },
  ]),
);
