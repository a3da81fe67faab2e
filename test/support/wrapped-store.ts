import type { RowStore } from "../../src/ports/store.ts";

/** A store that behaves as `store` but for what is changed. */
export function wrapStore(store: RowStore, changes: Partial<RowStore>): RowStore {
  return {
    get: (table, ...key) => store.get(table, ...key),
    select: (table, query) => store.select(table, query),
    put: (table, row) => store.put(table, row),
    patch: (table, key, columns) => store.patch(table, key, columns),
    remove: (table, ...key) => store.remove(table, ...key),
    distinct: (table, index, first) => store.distinct(table, index, first),
    begin: () => store.begin(),
    commit: () => store.commit(),
    rollback: () => store.rollback(),
    committed: store.committed,
    close: () => store.close(),
    ...changes,
  };
}
