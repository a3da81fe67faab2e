import type { RowStore } from "../../src/ports/store.ts";

export type Reads = { calls: number; rows: number; writes: number };

/** Counts what passes through a store. */
export function countReads(store: RowStore): { readonly store: RowStore; readonly reads: Reads } {
  const reads: Reads = { calls: 0, rows: 0, writes: 0 };
  const read = <T>(rows: T, count: number): T => {
    reads.calls += 1;
    reads.rows += count;
    return rows;
  };
  const one = <T>(row: T | undefined) => read(row, row === undefined ? 0 : 1);
  const many = <T>(rows: T[]) => read(rows, rows.length);
  const write = () => {
    reads.writes += 1;
  };
  const counted: RowStore = {
    get: (table, ...key) => one(store.get(table, ...key)),
    select: (table, query) => many(store.select(table, query)),
    distinct: (table, index, first) => many(store.distinct(table, index, first)),
    put: (table, row) => (write(), store.put(table, row)),
    patch: (table, key, changes) => (write(), store.patch(table, key, changes)),
    remove: (table, ...key) => (write(), store.remove(table, ...key)),
    begin: () => store.begin(),
    commit: () => store.commit(),
    rollback: () => store.rollback(),
    committed: {
      get: async (table, ...key) => one(await store.committed.get(table, ...key)),
      select: async (table, query) => many(await store.committed.select(table, query)),
      count: (table, query) => store.committed.count(table, query),
    },
    close: () => store.close(),
  };
  return { store: counted, reads };
}
