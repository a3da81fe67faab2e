import type { MemoryChangeKind, MemoryHit, MemoryPartition } from "../memory.ts";
import type { Table } from "./table.ts";

/** Rows about memory; what was remembered stands in files, and its older versions beside the database. Times are milliseconds. */

/** One change of one file. `before` and `after` name kept versions by their hash; null: there was, or is, no file. */
export type MemoryChangeRow = {
  change_id: string;
  /** Counts changes in the order in which they were made. */
  n: number;
  at: number;
  path: string;
  partition: MemoryPartition;
  kind: MemoryChangeKind;
  /** `agent:main`, `user:1001`, `editor`, `cli`, `schedule:consolidate`. */
  by: string;
  reason: string;
  before: string | null;
  after: string | null;
  /** Lines. */
  added: number;
  removed: number;
  trace_id: string;
  /** Null where no session asked for it. */
  session_id: string | null;
};

export const memoryChangeTable: Table<MemoryChangeRow> = {
  name: "memory_changes",
  columns: {
    change_id: "text",
    n: "integer",
    at: "integer",
    path: "text",
    partition: "text",
    kind: "text",
    by: "text",
    reason: "text",
    before: "text",
    after: "text",
    added: "integer",
    removed: "integer",
    trace_id: "text",
    session_id: "text",
  },
  key: ["change_id"],
  indexes: {
    by_n: { equals: [], order: ["n"] },
    by_path: { equals: ["path"], order: ["n"] },
    by_session: { equals: ["session_id"], order: ["n"] },
    by_at: { equals: [], order: ["at"] },
  },
};

/** What a file held when it was last looked at: what differs from that was changed by somebody else. */
export type MemoryFileRow = {
  path: string;
  partition: MemoryPartition;
  hash: string;
  bytes: number;
  seen_at: number;
};

export const memoryFileTable: Table<MemoryFileRow> = {
  name: "memory_files",
  columns: {
    path: "text",
    partition: "text",
    hash: "text",
    bytes: "integer",
    seen_at: "integer",
  },
  key: ["path"],
  indexes: {},
};

/** What a run was reminded of before its first model call, and is shown again in each round. */
export type RecallRow = {
  run_id: string;
  session_id: string;
  at: number;
  hits: readonly MemoryHit[];
};

export const recallTable: Table<RecallRow> = {
  name: "recalls",
  columns: { run_id: "text", session_id: "text", at: "integer", hits: "json" },
  key: ["run_id"],
  indexes: { by_at: { equals: [], order: ["at"] } },
};
