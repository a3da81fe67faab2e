import type { ErrorData } from "./errors.ts";
import type { Json, JsonObject } from "./json.ts";
import type { ContentBlock, Usage } from "./llm.ts";
import type { QueueMode } from "./queue.ts";
import { historyCutTable, modelCallTable, usageTotalTable } from "./model-rows.ts";
import type { Table } from "./table.ts";
import type { Capability, RiskClass } from "./tool.ts";

/** The domain's rows: written by named effects in the transaction of the transition they belong to. Times are milliseconds. */

export type Session = {
  session_id: string;
  /** `channel_type:connector_id:conversation_scope:user_scope:agent_id`; one open session at a time has it. */
  key: string;
  address: string;
  agent_id: string;
  state: "open" | "closed";
  created_at: number;
  last_at: number;
  closed_at: number | null;
};

export const sessionTable: Table<Session> = {
  name: "sessions",
  columns: {
    session_id: "text",
    key: "text",
    address: "text",
    agent_id: "text",
    state: "text",
    created_at: "integer",
    last_at: "integer",
    closed_at: "integer",
  },
  key: ["session_id"],
  indexes: {
    by_key: { equals: ["key"], order: ["created_at"] },
    by_last: { equals: [], order: ["last_at"] },
  },
};

/** `tool` rows hold one tool_result block each; the history pairs them with the calls of the assistant row before. */
export type Message = {
  position: number;
  session_id: string;
  run_id: string;
  role: "user" | "assistant" | "tool";
  content: readonly ContentBlock[];
  at: number;
};

export const messageTable: Table<Message> = {
  name: "messages",
  columns: {
    position: "integer",
    session_id: "text",
    run_id: "text",
    role: "text",
    content: "json",
    at: "integer",
  },
  key: ["position"],
  indexes: { by_session: { equals: ["session_id"], order: ["position"] } },
};

/** A message that waits for its turn in a session. */
export type InboxMessage = {
  seq: number;
  /** The session's address: what waits ends with it. */
  owner: string;
  text: string;
  trace: string;
  at: number;
  mode: QueueMode;
  /** 0: an interrupt, which goes before all others; 1: everything else. */
  rank: 0 | 1;
  /** The run that it is to steer; of no meaning once that has ended. */
  run_id: string | null;
};

export const inboxTable: Table<InboxMessage> = {
  name: "inbox",
  columns: {
    seq: "integer",
    owner: "text",
    text: "text",
    trace: "text",
    at: "integer",
    mode: "text",
    rank: "integer",
    run_id: "text",
  },
  key: ["seq"],
  indexes: {
    by_owner: { equals: ["owner"], order: ["rank", "seq"] },
    by_mode: { equals: ["owner", "mode"], order: ["seq"] },
    by_run: { equals: ["run_id"], order: ["seq"] },
  },
  owner: "owner",
};

/** Which run answers a message that began none: it was steered into that run, or collected with the one that began it. */
export type JoinedMessage = {
  /** The step that accepted the message. */
  seq: number;
  trace_id: string;
  run_id: string;
  /** The run's own trace: what follows is told under it. */
  run_trace_id: string;
  session_id: string;
  at: number;
};

export const joinedTable: Table<JoinedMessage> = {
  name: "joined_messages",
  columns: {
    seq: "integer",
    trace_id: "text",
    run_id: "text",
    run_trace_id: "text",
    session_id: "text",
    at: "integer",
  },
  key: ["seq"],
  indexes: { by_trace: { equals: ["trace_id"], order: ["seq"] } },
};

export type TaskState = "open" | "done" | "failed" | "cancelled";

/** What a user wants; owns the capability boundary of everything that is done for it. */
export type Task = {
  task_id: string;
  session_id: string;
  agent_id: string;
  trace_id: string;
  text: string;
  boundary: readonly Capability[];
  state: TaskState;
  created_at: number;
  ended_at: number | null;
};

export const taskTable: Table<Task> = {
  name: "tasks",
  columns: {
    task_id: "text",
    session_id: "text",
    agent_id: "text",
    trace_id: "text",
    text: "text",
    boundary: "json",
    state: "text",
    created_at: "integer",
    ended_at: "integer",
  },
  key: ["task_id"],
  indexes: { by_created: { equals: [], order: ["created_at"] } },
};

export type RunState = "done" | "failed" | "cancelled";

/** One execution of a task; `state` is null while it lives: its actor's row has the present one. */
export type Run = {
  run_id: string;
  /** The step that began it: runs in the order in which they began. */
  seq: number;
  address: string;
  session_id: string;
  agent_id: string;
  task_id: string;
  trace_id: string;
  state: RunState | null;
  started_at: number;
  ended_at: number | null;
  usage: Usage;
  reply: string | null;
  error: ErrorData | null;
  /** The agent's configuration that the run works with, from its slot to its end; null before. */
  config_hash: string | null;
};

export const runTable: Table<Run> = {
  name: "runs",
  columns: {
    run_id: "text",
    seq: "integer",
    address: "text",
    session_id: "text",
    agent_id: "text",
    task_id: "text",
    trace_id: "text",
    state: "text",
    started_at: "integer",
    ended_at: "integer",
    usage: "json",
    reply: "text",
    error: "json",
    config_hash: "text",
  },
  key: ["run_id"],
  indexes: {
    by_started: { equals: [], order: ["seq"] },
    by_trace: { equals: ["trace_id"], order: ["seq"] },
    by_session: { equals: ["session_id"], order: ["seq"] },
  },
};

/** A configuration that runs of an agent were pinned to: prompts included, secrets replaced. */
export type AgentConfigRow = {
  hash: string;
  agent_id: string;
  /** Null where the configuration was gone before it could be kept. */
  config: JsonObject | null;
  first_used_at: number;
};

export const agentConfigTable: Table<AgentConfigRow> = {
  name: "agent_configs",
  columns: { hash: "text", agent_id: "text", config: "json", first_used_at: "integer" },
  key: ["hash"],
  indexes: {},
};

/** One round of a run: a model call and the actions that it led to. */
export type Step = {
  step_id: string;
  run_id: string;
  number: number;
  /** `shorten`: the history was too long; the next step asks again with less. */
  action: "respond" | "tool_call" | "finish" | "shorten" | null;
  started_at: number;
  ended_at: number | null;
};

export const stepTable: Table<Step> = {
  name: "steps",
  columns: {
    step_id: "text",
    run_id: "text",
    number: "integer",
    action: "text",
    started_at: "integer",
    ended_at: "integer",
  },
  key: ["step_id"],
  indexes: { by_run: { equals: ["run_id"], order: ["number"] } },
};

export type ApprovalKind = "call" | "question" | "outcome";
export type ApprovalState =
  | "pending"
  | "approved"
  | "denied"
  | "answered"
  | "expired"
  | "cancelled";

/** One question to a human. `binding` is the hash of exactly what is shown: tool, input, agent, call. */
export type Approval = {
  approval_id: string;
  address: string;
  kind: ApprovalKind;
  state: ApprovalState;
  tool: string;
  summary: string;
  risk: RiskClass;
  input: JsonObject;
  binding: string;
  reason: string;
  requested: readonly Capability[];
  proposed_grants: readonly string[];
  options: readonly string[];
  default_answer: string;
  session_id: string;
  run_id: string;
  agent_id: string;
  trace_id: string;
  created_at: number;
  expires_at: number;
  decided_at: number | null;
  decided_by: string | null;
  scope: "once" | "session" | null;
  answer: string | null;
};

export const approvalTable: Table<Approval> = {
  name: "approvals",
  columns: {
    approval_id: "text",
    address: "text",
    kind: "text",
    state: "text",
    tool: "text",
    summary: "text",
    risk: "text",
    input: "json",
    binding: "text",
    reason: "text",
    requested: "json",
    proposed_grants: "json",
    options: "json",
    default_answer: "text",
    session_id: "text",
    run_id: "text",
    agent_id: "text",
    trace_id: "text",
    created_at: "integer",
    expires_at: "integer",
    decided_at: "integer",
    decided_by: "text",
    scope: "text",
    answer: "text",
  },
  key: ["approval_id"],
  indexes: {
    by_state: { equals: ["state"], order: ["created_at"] },
    by_session: { equals: ["session_id", "state"], order: ["created_at"] },
  },
};

/** What one owner may do unasked, for as long as it lives. */
export type Grant = {
  grant_id: string;
  owner: string;
  tool: string;
  capability: string;
  approval_id: string;
  given_by: string;
  given_at: number;
};

export const grantTable: Table<Grant> = {
  name: "grants",
  columns: {
    grant_id: "text",
    owner: "text",
    tool: "text",
    capability: "text",
    approval_id: "text",
    given_by: "text",
    given_at: "integer",
  },
  key: ["grant_id"],
  indexes: { by_owner: { equals: ["owner"], order: ["given_at"] } },
  owner: "owner",
};

/** Runs that hold, or wait for, one of the service's slots. */
export type Slot = { address: string; state: "holding" | "waiting"; seq: number };

export const slotTable: Table<Slot> = {
  name: "slots",
  columns: { address: "text", state: "text", seq: "integer" },
  key: ["address"],
  indexes: {
    by_state: { equals: ["state"], order: ["seq"] },
    by_owner: { equals: ["address"], order: ["seq"] },
  },
  owner: "address",
};

/** One row per decision and per invocation. `hash` covers the row and `prev_hash`: a changed or missing row breaks the chain. */
export type AuditRow = {
  n: number;
  at: number;
  kind: "decision" | "invocation";
  trace_id: string;
  task_id: string;
  run_id: string;
  step_id: string;
  session: string;
  agent: string;
  tool_call_id: string;
  tool: string;
  /** Secrets replaced. */
  input: Json;
  input_hash: string;
  requested_capabilities: readonly Capability[];
  granted_capabilities: readonly Capability[];
  approval_required: 0 | 1;
  approval_result: string | null;
  decided_by: string | null;
  start_at: number;
  end_at: number;
  status: string;
  error: Json;
  prev_hash: string;
  hash: string;
};

export const auditTable: Table<AuditRow> = {
  name: "audit",
  columns: {
    n: "integer",
    at: "integer",
    kind: "text",
    trace_id: "text",
    task_id: "text",
    run_id: "text",
    step_id: "text",
    session: "text",
    agent: "text",
    tool_call_id: "text",
    tool: "text",
    input: "json",
    input_hash: "text",
    requested_capabilities: "json",
    granted_capabilities: "json",
    approval_required: "integer",
    approval_result: "text",
    decided_by: "text",
    start_at: "integer",
    end_at: "integer",
    status: "text",
    error: "json",
    prev_hash: "text",
    hash: "text",
  },
  key: ["n"],
  indexes: {
    by_run: { equals: ["run_id"], order: ["n"] },
    by_trace: { equals: ["trace_id"], order: ["n"] },
  },
};

/** The newest row of the audit chain: rows that are missing at its end are found by it. */
export type AuditHead = { name: "audit"; n: number; hash: string };

export const auditHeadTable: Table<AuditHead> = {
  name: "audit_head",
  columns: { name: "text", n: "integer", hash: "text" },
  key: ["name"],
  indexes: {},
};

export const domainTables = [
  sessionTable,
  messageTable,
  historyCutTable,
  inboxTable,
  joinedTable,
  taskTable,
  runTable,
  agentConfigTable,
  stepTable,
  approvalTable,
  grantTable,
  slotTable,
  auditTable,
  auditHeadTable,
  modelCallTable,
  usageTotalTable,
] as unknown as readonly Table[];
