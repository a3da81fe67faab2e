import type { Usage } from "../llm.ts";
import type { Table } from "./table.ts";

/** Rows about models: what they are shown of a conversation, what they used and cost. Times are milliseconds. */

/** Where a conversation that had grown too long for its model begins now. */
export type HistoryCut = {
  session_id: string;
  /** Messages before this position are left out, but for those of `kept`. */
  from_position: number;
  /** What the person had said in the run that the cut went through. */
  kept: readonly number[];
  /** Thoughts from before this position belong to the longer conversation. */
  made_at_position: number;
  /** What stands for messages that are left out; null: nothing does. Written as null, it stays what it was. */
  summary: string | null;
  /** It tells of the messages before this position. */
  summary_until: number;
};

export const historyCutTable: Table<HistoryCut> = {
  name: "history_cuts",
  columns: {
    session_id: "text",
    from_position: "integer",
    kept: "json",
    made_at_position: "integer",
    summary: "text",
    summary_until: "integer",
  },
  key: ["session_id"],
  indexes: {},
};

/** Where it began before: what a fork from between two cuts begins with. */
export const pastCutTable: Table<HistoryCut> = {
  ...historyCutTable,
  name: "past_cuts",
  key: ["session_id", "made_at_position"],
  indexes: { by_session: { equals: ["session_id"], order: ["made_at_position"] } },
};

/** A model's answer, whole or broken off, with what the provider counted. `input_tokens` has the cached ones in it. */
export type ModelCall = Usage & {
  n: number;
  at: number;
  session_id: string;
  agent_id: string;
  run_id: string;
  trace_id: string;
  round: number;
  attempt: number;
  /** `provider/model` */
  model: string;
  outcome: "answered" | "broken_off";
  /** Millionths of a US dollar; null: the model has no price. */
  micro_usd: number | null;
};

export const modelCallTable: Table<ModelCall> = {
  name: "model_calls",
  columns: {
    n: "integer",
    at: "integer",
    session_id: "text",
    agent_id: "text",
    run_id: "text",
    trace_id: "text",
    round: "integer",
    attempt: "integer",
    model: "text",
    outcome: "text",
    input_tokens: "integer",
    output_tokens: "integer",
    cache_read_tokens: "integer",
    cache_write_tokens: "integer",
    micro_usd: "integer",
  },
  key: ["n"],
  indexes: { by_run: { equals: ["run_id"], order: ["n"] } },
};

export const usageKinds = [
  "run",
  "session",
  "agent",
  "day",
  "agent_day",
  "model",
  /** Of a run: its `calls` are attempts beyond the first of a model call, whatever became of them. */
  "retries",
] as const;
export type UsageKind = (typeof usageKinds)[number];

/** All model calls of one scope, such as `run/r7` or `agent/main/day/2026-01-31`, added up. */
export type UsageTotal = Usage & {
  scope: string;
  kind: UsageKind;
  /** Of its newest call, to the minute. */
  last_at: number;
  calls: number;
  /** Of the calls whose price is known. */
  micro_usd: number;
  unpriced_calls: number;
};

export const usageTotalTable: Table<UsageTotal> = {
  name: "usage_totals",
  columns: {
    scope: "text",
    kind: "text",
    last_at: "integer",
    calls: "integer",
    input_tokens: "integer",
    output_tokens: "integer",
    cache_read_tokens: "integer",
    cache_write_tokens: "integer",
    micro_usd: "integer",
    unpriced_calls: "integer",
  },
  key: ["scope"],
  indexes: {
    by_kind: { equals: ["kind"], order: ["last_at"] },
    by_last: { equals: [], order: ["last_at"] },
  },
};
