import type { RowStore } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { KeyValue, Query, Table } from "../../schema/table.ts";
import { MemoryTable, memoryKey, type MemoryRow } from "./memory-table.ts";

export type MemoryStoreOptions = {
  readonly tables: readonly Table[];
  /** For tests: rows go through JSON and are frozen, so that what a file would change or share is found here too. */
  readonly strict?: boolean;
};

export type MemoryStore = RowStore & {
  /** What a killed process leaves: the committed rows, in a store of their own; this one is closed. */
  crash(): MemoryStore;
  rowCount(table: string): number;
};

const longestTurnMs = 8;

export function createMemoryStore({ tables, strict = false }: MemoryStoreOptions): MemoryStore {
  const byName = new Map(tables.map((table) => [table.name, new MemoryTable(table)]));
  return overTables(byName, strict);
}

function overTables(byName: ReadonlyMap<string, MemoryTable>, strict: boolean): MemoryStore {
  let undo: (() => void)[] | undefined;
  let closed = false;
  let turnBegan = performance.now();

  const of = (table: { readonly name: string }): MemoryTable => {
    if (closed) throw new AgentError("store.unavailable", "the store is closed");
    const found = byName.get(table.name);
    if (found === undefined) throw new Error(`the store has no table ${table.name}`);
    return found;
  };
  const change = (table: MemoryTable, key: string, next: MemoryRow | undefined) => {
    if (undo === undefined) throw new Error("a write outside a transaction");
    const kept =
      next !== undefined && strict ? freeze(JSON.parse(JSON.stringify(next)) as MemoryRow) : next;
    const before = table.replace(key, kept);
    undo.push(() => void table.replace(key, before));
  };
  const rollback = () => {
    for (const step of (undo ?? []).reverse()) step();
    undo = undefined;
  };
  const get = <R extends object>(table: Table<R>, ...key: KeyValue[]) =>
    of(table).get(memoryKey(key)) as R | undefined;
  const select = <R extends object>(table: Table<R>, query: Query) =>
    of(table).select(query) as R[];

  return {
    get,
    select,
    put: (table, row) => {
      const target = of(table);
      const whole = row as MemoryRow;
      change(target, target.keyOf(whole), whole);
    },
    patch: (table, key, changes) => {
      const target = of(table);
      const before = target.get(memoryKey(key));
      if (before === undefined) return;
      const next = { ...before, ...(changes as MemoryRow) };
      if (target.keyOf(next) !== memoryKey(key))
        throw new Error(`a patch may not change the key of ${table.name}`);
      change(target, memoryKey(key), next);
    },
    remove: (table, ...key) => change(of(table), memoryKey(key), undefined),
    distinct: <R extends object>(table: Table<R>, index: string, first: KeyValue) =>
      of(table).distinct(index, first) as Partial<R>[],
    begin: () => {
      if (undo !== undefined) throw new Error("a transaction is open already");
      undo = [];
    },
    commit: async () => {
      undo = undefined;
      if (performance.now() - turnBegan < longestTurnMs) return;
      await new Promise((resolve) => setImmediate(resolve));
      turnBegan = performance.now();
    },
    rollback,
    committed: {
      get: async (table, ...key) => get(table, ...key),
      select: async (table, query) => select(table, query),
    },
    close: async () => {
      closed = true;
    },
    crash: () => {
      rollback();
      closed = true;
      return overTables(byName, strict);
    },
    rowCount: (table) => byName.get(table)?.size ?? 0,
  };
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}
