import { z } from "zod";
import type { ActorStateRow, ActorStep } from "./actor-view.ts";
import type { ChatEvent } from "./chat-event.ts";
import type { ErrorData } from "./errors.ts";
import { logFilterShape, type LogRecord } from "./log-record.ts";
import { type SidecarEvent, sidecarEventTypes } from "./news.ts";
import { decisionScopes } from "./permission-rows.ts";
import type { methodResults } from "./results.ts";
import { queueModes } from "./queue.ts";
import { jsonObject } from "./shown.ts";
import { taskBoundary } from "./task-boundary.ts";

export type { ActorStep } from "./actor-view.ts";
export type { ChatEvent } from "./chat-event.ts";
export type { ChainReport, ServiceStatus } from "./results.ts";
export type { ShownApproval, ShownAudit, ShownMessage, ShownRun, ShownTask } from "./shown.ts";

/** What is said over the socket: JSON-RPC 2.0, one object a line. Times are ISO 8601 in UTC. */

export const protocolVersion = 1;

const limit = z.int().min(1).max(10_000).default(100);
const time = z.iso.datetime({ offset: true }).optional();
const id = z.string().min(1).max(512);
/** Of what the client showed: an answer to anything else is refused. */
const binding = z.string().max(128).optional();
const nothing = z.strictObject({});

const auditFilter = z.strictObject({
  trace: z.string().optional(),
  task: z.string().optional(),
  run: z.string().optional(),
  step: z.string().optional(),
  session: z.string().optional(),
  agent: z.string().optional(),
  tool: z.string().optional(),
  status: z.string().optional(),
  after: time,
  before: time,
});
export const usageGroups = ["day", "agent", "session", "run", "model"] as const;
export type UsageGroup = (typeof usageGroups)[number];

export const methodParams = {
  "hello": z.strictObject({ protocol: z.int() }),
  "status": nothing,
  /** Takes no more, lets running work end within `grace_ms`, then ends the process. */
  "shutdown": z.strictObject({ grace_ms: z.int().min(0).max(600_000).default(5_000) }),
  /** Writes a consistent copy of the database to a new file, named absolutely; the service goes on meanwhile. */
  "backup": z.strictObject({ file: z.string().startsWith("/").max(4096) }),
  /** Reads the configuration again; with a fault nothing changes. */
  "config.reload": nothing,
  "agents.list": nothing,
  "agents.show": z.strictObject({ id }),
  "actors.tree": z.strictObject({
    prefix: z.string().optional(),
    all: z.boolean().default(false),
    limit,
  }),
  "actor.get": z.strictObject({ address: id }),
  /** Events that reached nobody, and actors that were set aside; the newest `limit` of each. */
  "actors.dead": z.strictObject({ limit }),
  "actor.send": z.strictObject({
    address: id,
    event: z.string().min(1),
    payload: jsonObject.default({}),
    idempotency_key: id.optional(),
  }),
  /** Answered at once; then `actors.delta` notifications follow until the connection ends. */
  "actors.subscribe": z.strictObject({ prefix: z.string().default("") }),
  /** Who would answer a message that is sent so: the agent that is named, else the one that the bindings lead to. */
  "chat.agent": z.strictObject({
    agent: z.string().optional(),
    session: z.string().min(1).max(128).optional(),
  }),
  /** Answered when the message is accepted; then `chat.delta`, `chat.tool` and `chat.end` notifications with this `chat` follow. */
  "chat.send": z.strictObject({
    chat: id,
    text: z.string().min(1).max(200_000),
    agent: z.string().optional(),
    /** A name for the conversation; the default one is `cli`. */
    session: z.string().min(1).max(128).optional(),
    idempotency_key: id.optional(),
    /** What becomes of it while a run works; the default is `sessions.queue` of the configuration. */
    queue: z.enum(queueModes).optional(),
    /** What its task may do at most, inside what the agent may; the run is its own. */
    boundary: taskBoundary.optional(),
  }),
  /** A run that was begun before: answered at once; then what a chat tells of it follows, from now to its end. */
  "chat.follow": z.strictObject({ chat: id, run: id }),
  "approvals.list": z.strictObject({ all: z.boolean().default(false), limit }),
  "approvals.show": z.strictObject({ id }),
  "approvals.decide": z.strictObject({
    id,
    decision: z.enum(["approve", "deny"]),
    scope: z.enum(decisionScopes).default("once"),
    /** When the grant ends, if before its owner. */
    until: time,
    /** Directories to grant instead of the proposed paths in them: `fs.write:notes/**`. */
    grants: z.array(id).max(20).optional(),
    reason: z.string().max(2000).optional(),
    binding,
  }),
  "approvals.answer": z.strictObject({ id, value: z.string().min(1).max(20_000), binding }),
  /** The calls of one step that wait, whole. */
  "approvals.step": z.strictObject({ step: id }),
  /** One word on all of them; refused where `binding` is not that of those that wait now. */
  "approvals.decide_step": z.strictObject({
    step: id,
    binding: z.string().max(128),
    decision: z.enum(["approve", "deny"]),
    scope: z.enum(decisionScopes).default("once"),
    until: time,
    reason: z.string().max(2000).optional(),
  }),
  /** What people allowed or denied beyond one call; of living sessions, or with `session` of that one. */
  "grants.list": z.strictObject({ session: id.optional(), limit }),
  "grants.revoke": z.strictObject({ id }),
  /** Files that hold, or may hold, text of strangers. */
  "marks.list": z.strictObject({ limit }),
  /** A person has looked: the file, in its normal form and relative to the agent's workspace, holds no such text. */
  "marks.clear": z.strictObject({ agent: id, path: z.string().min(1).max(4096) }),
  "runs.list": z.strictObject({ limit }),
  "runs.show": z.strictObject({ id }),
  /** At once, or after the present step: its model call and the tool calls that it asked for. */
  "runs.cancel": z.strictObject({ id, after_step: z.boolean().default(false) }),
  "sessions.list": z.strictObject({ limit }),
  /** By session id or key; with the newest `limit` messages. */
  "sessions.show": z.strictObject({ id, limit }),
  "sessions.reset": z.strictObject({ id }),
  "tasks.list": z.strictObject({ limit }),
  "tasks.show": z.strictObject({ id }),
  "tasks.cancel": z.strictObject({ id }),
  /** What model calls used, added up, the scopes that were used last first. */
  "usage.totals": z.strictObject({ by: z.enum(usageGroups).default("day"), limit }),
  /** The newest rows that match, newest first. */
  "audit.query": auditFilter.extend({ limit }),
  /** All rows that match, oldest first, page by page: the next one begins behind `next`. */
  "audit.export": auditFilter.extend({ after_n: z.int().min(0).default(0) }),
  "audit.verify": nothing,
  /** Answered with the newest that the service remembers; then, to `follow`, `events.delta` notifications. */
  "events.subscribe": z.strictObject({
    type: z.enum(sidecarEventTypes).optional(),
    trace: id.optional(),
    run: id.optional(),
    session: id.optional(),
    agent: id.optional(),
    limit: z.int().min(0).max(1_000).default(0),
    follow: z.boolean().default(true),
  }),
  /** Answered with the newest records; then, to `follow`, `logs.delta` notifications. */
  "logs.tail": z.strictObject({
    ...logFilterShape,
    limit,
    follow: z.boolean().default(false),
  }),
} as const;

export type Method = keyof typeof methodParams;
/** What committed rows alone answer: it works without a service too, over the database file. */
export type ReadMethod =
  | "actors.tree"
  | "actor.get"
  | "actors.dead"
  | "approvals.list"
  | "approvals.show"
  | "approvals.step"
  | "grants.list"
  | "marks.list"
  | "runs.list"
  | "runs.show"
  | "sessions.list"
  | "sessions.show"
  | "tasks.list"
  | "tasks.show"
  | "usage.totals"
  | "audit.query"
  | "audit.export"
  | "audit.verify";
export type ParamsOf<M extends Method> = z.input<(typeof methodParams)[M]>;
export type ParsedParams<M extends Method> = z.output<(typeof methodParams)[M]>;

export type Results = { readonly [M in Method]: z.output<(typeof methodResults)[M]> };

export type Notifications = {
  "chat.delta": { readonly chat: string; readonly event: ChatEvent };
  "chat.tool": { readonly chat: string; readonly event: ChatEvent };
  "chat.end": { readonly chat: string; readonly event: ChatEvent };
  /** Where steps were `dropped`, because the client read too slowly, `rows` are all the living. */
  "actors.delta": {
    readonly rows: readonly ActorStateRow[];
    readonly steps: readonly ActorStep[];
    readonly dropped: number;
  };
  /** `dropped` older ones are missing, because the client read too slowly. */
  "events.delta": { readonly events: readonly SidecarEvent[]; readonly dropped: number };
  /** Records are missing where `is_torn`: the log was rotated away before the client read it. */
  "logs.delta": { readonly records: readonly LogRecord[]; readonly is_torn: boolean };
};

/** `data` is the AgentError; `code` is JSON-RPC's number, -32000 for ours. */
export type RpcResponse =
  | { readonly jsonrpc: "2.0"; readonly id: number; readonly result: unknown }
  | {
      readonly jsonrpc: "2.0";
      readonly id: number | null;
      readonly error: { readonly code: number; readonly message: string; readonly data: ErrorData };
    };

export type RpcNotification = {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params: unknown;
};
