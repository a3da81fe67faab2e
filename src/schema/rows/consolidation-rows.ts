import type { MemoryPartition } from "../memory.ts";
import type { Table } from "./table.ts";

/** Entries of a daily file that a consolidation has looked at, by their keys: they are not looked at again. */
export type ConsideredRow = {
  path: string;
  partition: MemoryPartition;
  entries: readonly string[];
};

export const consideredTable: Table<ConsideredRow> = {
  name: "memory_considered",
  columns: { path: "text", partition: "text", entries: "json" },
  key: ["path"],
  indexes: { by_partition: { equals: ["partition"], order: ["path"] } },
};

/** A question that a model gave no usable answer to: the same one is not asked again by itself. */
export type UnansweredRow = {
  partition: MemoryPartition;
  question_mark: string;
};

export const unansweredTable: Table<UnansweredRow> = {
  name: "memory_unanswered",
  columns: { partition: "text", question_mark: "text" },
  key: ["partition"],
  indexes: {},
};
