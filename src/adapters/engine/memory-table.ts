import type { Index, KeyValue, Query, Table } from "../../schema/table.ts";

/** One table in memory: rows by key, and for each index its rows in order. Knows nothing of transactions. */

export type MemoryRow = Readonly<Record<string, unknown>>;

type Order = readonly string[];

type MemoryIndex = {
  readonly equals: readonly string[];
  readonly order: Order;
  readonly groups: Map<string, MemoryRow[]>;
};

export class MemoryTable {
  readonly table: Table;
  private readonly rows = new Map<string, MemoryRow>();
  private readonly indexes = new Map<string, MemoryIndex>();

  constructor(table: Table) {
    this.table = table;
    const indexes: { [name: string]: Index<string> } = {
      ...table.indexes,
      key: { equals: [], order: table.key },
    };
    for (const [name, { equals, order }] of Object.entries(indexes)) {
      this.indexes.set(name, { equals, order: [...order, ...table.key], groups: new Map() });
    }
  }

  get size(): number {
    return this.rows.size;
  }

  keyOf(row: MemoryRow): string {
    return groupKey(this.table.key.map((column) => row[column]));
  }

  get(key: string): MemoryRow | undefined {
    return this.rows.get(key);
  }

  /** Puts `next` in the place of what has that key; undefined removes it.
   *  @returns what was there */
  replace(key: string, next: MemoryRow | undefined): MemoryRow | undefined {
    const before = this.rows.get(key);
    if (next === undefined) this.rows.delete(key);
    else this.rows.set(key, next);
    for (const index of this.indexes.values()) reindex(index, before, next);
    return before;
  }

  select(query: Query): MemoryRow[] {
    const index = this.index(query.index);
    const group = index.groups.get(groupKey(query.equals ?? [])) ?? [];
    const column = index.order[0] as string;
    const [start, end] = bounds(group, column, query);
    const limit = query.limit ?? Number.POSITIVE_INFINITY;
    if (query.descending === true) {
      return group.slice(Math.max(start, end - limit), end).reverse();
    }
    return group.slice(start, Math.min(end, start + limit));
  }

  distinct(name: string, first: KeyValue): MemoryRow[] {
    const index = this.index(name);
    const columns = [...index.equals, ...(this.table.indexes[name]?.order ?? [])];
    const found = new Map<string, MemoryRow>();
    for (const row of this.rows.values()) {
      if (row[columns[0] as string] !== first) continue;
      const values = columns.map((column) => row[column]);
      found.set(
        groupKey(values),
        Object.fromEntries(columns.map((column) => [column, row[column]])),
      );
    }
    return [...found.values()];
  }

  private index(name: string): MemoryIndex {
    const index = this.indexes.get(name);
    if (index === undefined) throw new Error(`the table ${this.table.name} has no index ${name}`);
    return index;
  }
}

function groupKey(values: readonly unknown[]): string {
  return values.length === 1 && typeof values[0] === "string"
    ? `"${values[0]}`
    : JSON.stringify(values);
}

function reindex(
  index: MemoryIndex,
  before: MemoryRow | undefined,
  next: MemoryRow | undefined,
): void {
  const group = (row: MemoryRow) => groupKey(index.equals.map((column) => row[column]));
  if (before !== undefined) {
    const key = group(before);
    const rows = index.groups.get(key) as MemoryRow[];
    const at = position(rows, before, index.order);
    if (next !== undefined && group(next) === key && compare(before, next, index.order) === 0) {
      rows[at] = next;
      return;
    }
    rows.splice(at, 1);
    if (rows.length === 0) index.groups.delete(key);
  }
  if (next === undefined) return;
  const key = group(next);
  const rows = index.groups.get(key);
  if (rows === undefined) index.groups.set(key, [next]);
  else rows.splice(position(rows, next, index.order), 0, next);
}

/** The first place whose row does not come before `row`. */
function position(rows: readonly MemoryRow[], row: MemoryRow, order: Order): number {
  let low = 0;
  let high = rows.length;
  if (high > 0 && compare(rows[high - 1] as MemoryRow, row, order) < 0) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(rows[middle] as MemoryRow, row, order) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(a: MemoryRow, b: MemoryRow, order: Order): number {
  for (const column of order) {
    const result = compareValues(a[column], b[column]);
    if (result !== 0) return result;
  }
  return 0;
}

/** As SQL orders them: null first, then numbers, then text by code point. */
function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  const [rankA, rankB] = [rank(a), rank(b)];
  if (rankA !== rankB) return rankA - rankB;
  return (a as string) < (b as string) ? -1 : 1;
}

function rank(value: unknown): number {
  if (value === null || value === undefined) return 0;
  return typeof value === "number" ? 1 : 2;
}

function bounds(rows: readonly MemoryRow[], column: string, query: Query): [number, number] {
  const firstWhere = (holds: (value: unknown) => boolean) => {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds((rows[middle] as MemoryRow)[column])) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const { from, after, upTo, before } = query;
  let start = 0;
  let end = rows.length;
  if (from !== undefined)
    start = Math.max(
      start,
      firstWhere((value) => compareValues(value, from) >= 0),
    );
  if (after !== undefined)
    start = Math.max(
      start,
      firstWhere((value) => compareValues(value, after) > 0),
    );
  const bounded = upTo !== undefined || before !== undefined;
  if (bounded)
    start = Math.max(
      start,
      firstWhere((value) => value !== null && value !== undefined),
    );
  if (upTo !== undefined)
    end = Math.min(
      end,
      firstWhere((value) => compareValues(value, upTo) > 0),
    );
  if (before !== undefined)
    end = Math.min(
      end,
      firstWhere((value) => compareValues(value, before) >= 0),
    );
  return [start, Math.max(start, end)];
}

export function memoryKey(key: readonly KeyValue[]): string {
  return groupKey(key);
}
