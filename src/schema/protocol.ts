import { z } from "zod";
import type { ActorStateRow, ActorDetails, SendAnswer } from "./actor-view.ts";
import type { AuditRow, Approval, Run, Session, Task } from "./rows.ts";
import type { ErrorData } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { Usage } from "./llm.ts";

/** What is said over the socket: JSON-RPC 2.0, one object a line. Times are ISO 8601 in UTC. */

export const protocolVersion = 1;

const limit = z.int().min(1).max(10_000).default(100);
const time = z.iso.datetime({ offset: true }).optional();
const id = z.string().min(1).max(512);
const nothing = z.strictObject({});
const jsonObject = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject, JsonObject>;

export const methodParams = {
  "hello": z.strictObject({ protocol: z.int() }),
  "status": nothing,
  /** Takes no more, lets running work end within `grace_ms`, then ends the process. */
  "shutdown": z.strictObject({ grace_ms: z.int().min(0).max(600_000).default(5_000) }),
  "actors.tree": z.strictObject({
    prefix: z.string().optional(),
    all: z.boolean().default(false),
    limit,
  }),
  "actor.get": z.strictObject({ address: id }),
  "actor.send": z.strictObject({
    address: id,
    event: z.string().min(1),
    payload: jsonObject.default({}),
    idempotency_key: id.optional(),
  }),
  /** Answered at once; then `actors.delta` notifications follow until the connection ends. */
  "actors.subscribe": z.strictObject({ prefix: z.string().default("") }),
  /** Answered when the message is accepted; then `chat.delta`, `chat.tool` and `chat.end` notifications with this `chat` follow. */
  "chat.send": z.strictObject({
    chat: id,
    text: z.string().min(1).max(200_000),
    agent: z.string().optional(),
    /** A name for the conversation; the default one is `cli`. */
    session: z.string().min(1).max(128).optional(),
    idempotency_key: id.optional(),
  }),
  /** A run that was begun before: answered at once; then what a chat tells of it follows, from now to its end. */
  "chat.follow": z.strictObject({ chat: id, run: id }),
  "approvals.list": z.strictObject({ all: z.boolean().default(false), limit }),
  "approvals.show": z.strictObject({ id }),
  "approvals.decide": z.strictObject({
    id,
    decision: z.enum(["approve", "deny"]),
    scope: z.enum(["once", "session"]).default("once"),
    reason: z.string().max(2000).optional(),
  }),
  "approvals.answer": z.strictObject({ id, value: z.string().min(1).max(20_000) }),
  "runs.list": z.strictObject({ limit }),
  "runs.show": z.strictObject({ id }),
  "runs.cancel": z.strictObject({ id }),
  "sessions.list": z.strictObject({ limit }),
  /** By session id or key; with the newest `limit` messages. */
  "sessions.show": z.strictObject({ id, limit }),
  "sessions.reset": z.strictObject({ id }),
  "tasks.list": z.strictObject({ limit }),
  "tasks.show": z.strictObject({ id }),
  "tasks.cancel": z.strictObject({ id }),
  "audit.query": z.strictObject({
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
    limit,
  }),
  "audit.verify": nothing,
} as const;

export type Method = keyof typeof methodParams;
export type ParamsOf<M extends Method> = z.input<(typeof methodParams)[M]>;
export type ParsedParams<M extends Method> = z.output<(typeof methodParams)[M]>;

/** Row times as people and scripts see them. */
export type Shown<R extends object, Times extends keyof R> = Omit<R, Times> & {
  readonly [T in Times]: R[T] extends number ? string : string | null;
};

export type ShownApproval = Omit<
  Shown<Approval, "created_at" | "expires_at" | "decided_at">,
  "approval_id"
> & { readonly id: string };
export type ShownRun = Omit<Shown<Run, "started_at" | "ended_at">, "state" | "seq"> & {
  /** The state of its actor while it lives: `awaiting_approval`. */
  readonly state: string;
};
export type ShownSession = Omit<Shown<Session, "created_at" | "last_at" | "closed_at">, "state"> & {
  /** `idle`, `running`, `closing` or `closed`. */
  readonly state: string;
};
export type ShownTask = Shown<Task, "created_at" | "ended_at">;
export type ShownAudit = Shown<AuditRow, "at" | "start_at" | "end_at">;
export type ShownMessage = {
  readonly role: "user" | "assistant" | "tool";
  readonly content: readonly JsonObject[];
  readonly run_id: string;
  readonly at: string;
};

export type ServiceStatus = {
  readonly pid: number;
  readonly state: string;
  readonly version: string;
  readonly home: string;
  readonly started_at: string;
  readonly degraded: ErrorData | null;
  readonly agents: readonly string[];
  /** Who answers for the default agent: `offline/rules`. */
  readonly model: string;
  readonly sessions: number;
  readonly runs: number;
  readonly approvals: number;
  readonly quarantined: number;
  readonly dead_letters: number;
  readonly queued: number;
};

export type ChainReport = {
  readonly ok: boolean;
  readonly rows: number;
  /** The row that breaks the chain. */
  readonly fault: { readonly n: number; readonly message: string } | null;
};

export type Results = {
  "hello": { readonly protocol: number; readonly version: string; readonly pid: number };
  "status": ServiceStatus;
  "shutdown": Record<string, never>;
  "actors.tree": readonly ActorStateRow[];
  "actor.get": ActorDetails;
  "actor.send": SendAnswer;
  "actors.subscribe": { readonly rows: readonly ActorStateRow[] };
  "chat.send": {
    readonly session_id: string;
    readonly address: string;
    readonly trace_id: string;
    /** True when a run works already and the message waits its turn. */
    readonly queued: boolean;
    /** What the present run waits for, when it waits for a person. */
    readonly waiting_for: readonly ShownApproval[];
  };
  "chat.follow": { readonly run_id: string; readonly trace_id: string };
  "approvals.list": readonly ShownApproval[];
  "approvals.show": ShownApproval;
  "approvals.decide": { readonly id: string; readonly state: string };
  "approvals.answer": { readonly id: string; readonly state: string };
  "runs.list": readonly ShownRun[];
  "runs.show": ShownRun & {
    readonly steps: readonly JsonObject[];
    readonly audit: readonly ShownAudit[];
  };
  "runs.cancel": SendAnswer;
  "sessions.list": readonly ShownSession[];
  "sessions.show": ShownSession & { readonly messages: readonly ShownMessage[] };
  "sessions.reset": SendAnswer;
  "tasks.list": readonly ShownTask[];
  "tasks.show": ShownTask & { readonly runs: readonly ShownRun[] };
  "tasks.cancel": SendAnswer;
  "audit.query": readonly ShownAudit[];
  "audit.verify": ChainReport;
};

/** What a chat tells, in order; `run.finished` is the last. */
export type ChatEvent =
  | {
      readonly type: "run.started";
      readonly run_id: string;
      readonly trace_id: string;
      readonly session_id: string;
    }
  | { readonly type: "text.delta"; readonly text: string }
  /** A new attempt begins: forget the text of this round. */
  | { readonly type: "text.reset" }
  | { readonly type: "model.retrying"; readonly code: string; readonly wait_ms: number }
  | {
      readonly type: "tool.started";
      readonly call_id: string;
      readonly tool: string;
      readonly input: JsonObject;
    }
  | {
      readonly type: "tool.finished";
      readonly call_id: string;
      readonly tool: string;
      readonly status: string;
      readonly output: string;
      readonly is_error: boolean;
    }
  | { readonly type: "approval.opened"; readonly approval: ShownApproval }
  | {
      readonly type: "approval.decided";
      readonly id: string;
      readonly state: string;
      readonly decided_by: string;
    }
  | {
      readonly type: "run.finished";
      readonly run_id: string;
      readonly trace_id: string;
      readonly session_id: string;
      readonly status: "done" | "failed" | "cancelled";
      readonly reply: string | null;
      readonly error: ErrorData | null;
      readonly usage: Usage;
    };

export type ActorStep = {
  readonly seq: number;
  readonly at: string;
  readonly address: string;
  readonly event: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly state_before: string | null;
  readonly state_after: string | null;
  readonly trace: string;
};

export type Notifications = {
  "chat.delta": { readonly chat: string; readonly event: ChatEvent };
  "chat.tool": { readonly chat: string; readonly event: ChatEvent };
  "chat.end": { readonly chat: string; readonly event: ChatEvent };
  "actors.delta": { readonly rows: readonly ActorStateRow[]; readonly steps: readonly ActorStep[] };
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
