import type { RowStore } from "../../src/ports/store.ts";
import { wrapStore } from "./wrapped-store.ts";

/** How many rows went through a store, by table and by what was done: "actors read": 1. */
export type RowCounts = { readonly [tableAndVerb: string]: number };

export type CountingStore = {
  readonly store: RowStore;
  counts(): RowCounts;
  reset(): void;
};

export function countRows(store: RowStore): CountingStore {
  let counts: { [tableAndVerb: string]: number } = {};
  const count = (table: { readonly name: string }, verb: string, rows = 1) => {
    if (rows === 0) return;
    const key = `${table.name} ${verb}`;
    counts[key] = (counts[key] ?? 0) + rows;
  };
  return {
    counts: () => ({ ...counts }),
    reset: () => {
      counts = {};
    },
    store: wrapStore(store, {
      get: (table, ...key) => {
        const row = store.get(table, ...key);
        count(table, "read");
        return row;
      },
      select: (table, query) => {
        const rows = store.select(table, query);
        count(table, "read", rows.length);
        return rows;
      },
      distinct: (table, index, first) => {
        const values = store.distinct(table, index, first);
        count(table, "kinds", values.length);
        return values;
      },
      put: (table, row) => {
        count(table, "put");
        store.put(table, row);
      },
      patch: (table, key, changes) => {
        count(table, "patched");
        store.patch(table, key, changes);
      },
      remove: (table, ...key) => {
        count(table, "removed");
        store.remove(table, ...key);
      },
    }),
  };
}
