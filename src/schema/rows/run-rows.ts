import type { Trust } from "../contexts/trust.ts";
import type { ErrorData } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { Usage } from "../llm.ts";
import type { Table } from "./table.ts";
import type { Capability } from "../tool.ts";

/** Rows of work: tasks, their runs, the steps of those. Times are milliseconds. */

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
  /** Where that came from which it knew at its end; null while it lives, and where that was not noted. */
  trust: Trust | null;
  /** When something that it said was forgotten: as a past task it is not found any more; null: it is. */
  forgotten_at: number | null;
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
    trust: "json",
    forgotten_at: "integer",
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
  /** `shorten`: the history was too long; the next step asks again with less. `pause`: a budget was used up; the next step asks
   *  again, as a person allowed it. */
  action: "respond" | "tool_call" | "finish" | "shorten" | "pause" | null;
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
