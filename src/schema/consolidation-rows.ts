import type { MemoryPartition } from "./memory.ts";
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
