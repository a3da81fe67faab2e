import type { CommittedReader, RowStore } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { KeyValue, Query, Table } from "../../schema/rows/table.ts";
import { type GroupKey, MemoryTable, memoryKey, type MemoryRow } from "./memory-table.ts";

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

type Change = {
  readonly table: MemoryTable;
  readonly key: GroupKey;
  readonly before: MemoryRow | undefined;
};

const longestTurnMs = 8;

export function createMemoryStore({ tables, strict = false }: MemoryStoreOptions): MemoryStore {
  const byName = new Map(tables.map((table) => [table.name, new MemoryTable(table)]));
  return new MemoryRowStore(byName, strict);
}

class MemoryRowStore implements MemoryStore {
  private readonly byName: ReadonlyMap<string, MemoryTable>;
  private readonly strict: boolean;
  private undo: Change[] | undefined;
  private closed = false;
  private turnBegan = performance.now();

  readonly committed: CommittedReader = {
    get: async (table, ...key) => this.get(table, ...key),
    select: async (table, query) => this.select(table, query),
    count: async (table, query) => this.select(table, query).length,
  };

  constructor(byName: ReadonlyMap<string, MemoryTable>, strict: boolean) {
    this.byName = byName;
    this.strict = strict;
  }

  get<R extends object>(table: Table<R>, ...key: KeyValue[]): R | undefined {
    return this.of(table).get(memoryKey(key)) as R | undefined;
  }

  select<R extends object>(table: Table<R>, query: Query): R[] {
    return this.of(table).select(query) as R[];
  }

  distinct<R extends object>(table: Table<R>, index: string, first: KeyValue): Partial<R>[] {
    return this.of(table).distinct(index, first) as Partial<R>[];
  }

  put<R extends object>(table: Table<R>, row: R): void {
    const target = this.of(table);
    this.change(target, target.keyOf(row as MemoryRow), row as MemoryRow);
  }

  patch<R extends object>(table: Table<R>, key: readonly KeyValue[], changes: Partial<R>): void {
    const target = this.of(table);
    const place = memoryKey(key);
    const before = target.get(place);
    if (before !== undefined) this.change(target, place, patched(target.table, before, changes));
  }

  remove<R extends object>(table: Table<R>, ...key: KeyValue[]): void {
    this.change(this.of(table), memoryKey(key), undefined);
  }

  begin(): void {
    if (this.undo !== undefined) throw new Error("a transaction is open already");
    this.undo = [];
  }

  async commit(): Promise<void> {
    this.undo = undefined;
    if (performance.now() - this.turnBegan < longestTurnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.turnBegan = performance.now();
  }

  rollback(): void {
    for (const { table, key, before } of (this.undo ?? []).toReversed()) table.replace(key, before);
    this.undo = undefined;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  crash(): MemoryStore {
    this.rollback();
    this.closed = true;
    return new MemoryRowStore(this.byName, this.strict);
  }

  rowCount(table: string): number {
    return this.byName.get(table)?.size ?? 0;
  }

  private of(table: { readonly name: string }): MemoryTable {
    if (this.closed) throw new AgentError("store.unavailable", "the store is closed");
    const found = this.byName.get(table.name);
    if (found === undefined) throw new Error(`the store has no table ${table.name}`);
    return found;
  }

  private change(table: MemoryTable, key: GroupKey, next: MemoryRow | undefined): void {
    if (this.undo === undefined) throw new Error("a write outside a transaction");
    this.undo.push({ table, key, before: table.replace(key, this.kept(next)) });
  }

  private kept(row: MemoryRow | undefined): MemoryRow | undefined {
    if (row === undefined || !this.strict) return row;
    return freeze(JSON.parse(JSON.stringify(row)) as MemoryRow);
  }
}

function patched(table: Table, before: MemoryRow, changes: object): MemoryRow {
  const next = { ...before, ...changes };
  if (table.key.some((column) => next[column] !== before[column]))
    throw new Error(`a patch may not change the key of ${table.name}`);
  return next;
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}
