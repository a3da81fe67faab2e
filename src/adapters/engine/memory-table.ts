import type { Index, KeyValue, Query, Table } from "../../schema/rows/table.ts";

/** One table in memory: rows by key, and in the order of each index that was ever asked for. Knows nothing of transactions. */

export type MemoryRow = Readonly<Record<string, unknown>>;

/** Of a single column its value, which is as quick as a map can be; of several one text. */
export type GroupKey = string | number | null;

/** A row's place, which all indexes share: a change of columns that no index orders by touches none of them. */
type Place = { row: MemoryRow };

type Order = readonly string[];

class MemoryIndex {
  private readonly equals: readonly string[];
  private readonly columns: Order;
  private readonly groups = new Map<GroupKey, Place[]>();
  readonly order: Order;

  constructor(equals: readonly string[], order: Order, places: Iterable<Place>) {
    this.equals = equals;
    this.order = order;
    this.columns = [...new Set([...equals, ...order])];
    for (const place of places) this.group(place.row).push(place);
    for (const group of this.groups.values()) group.sort((a, b) => compare(a.row, b.row, order));
  }

  isMoved(before: MemoryRow, next: MemoryRow): boolean {
    for (const column of this.columns) if (before[column] !== next[column]) return true;
    return false;
  }

  insert(place: Place): void {
    const group = this.group(place.row);
    const at = position(group, place.row, this.order);
    if (at === group.length) group.push(place);
    else group.splice(at, 0, place);
  }

  remove({ row }: Place): void {
    const key = this.groupOf(row);
    const group = this.groups.get(key) ?? [];
    group.splice(position(group, row, this.order), 1);
    if (group.length === 0) this.groups.delete(key);
  }

  places(values: readonly unknown[]): readonly Place[] {
    return this.groups.get(groupKey(values)) ?? [];
  }

  private group(row: MemoryRow): Place[] {
    const key = this.groupOf(row);
    const known = this.groups.get(key);
    if (known !== undefined) return known;
    const group: Place[] = [];
    this.groups.set(key, group);
    return group;
  }

  private groupOf(row: MemoryRow): GroupKey {
    return keyIn(row, this.equals);
  }
}

export class MemoryTable {
  readonly table: Table;
  private readonly places = new Map<GroupKey, Place>();
  private readonly indexes = new Map<string, MemoryIndex>();

  constructor(table: Table) {
    this.table = table;
  }

  get size(): number {
    return this.places.size;
  }

  keyOf(row: MemoryRow): GroupKey {
    return keyIn(row, this.table.key);
  }

  get(key: GroupKey): MemoryRow | undefined {
    return this.places.get(key)?.row;
  }

  /** Puts `next` in the place of what has that key; undefined removes it.
   *  @returns what was there */
  replace(key: GroupKey, next: MemoryRow | undefined): MemoryRow | undefined {
    const place = this.places.get(key);
    if (place === undefined) {
      if (next !== undefined) this.add(key, next);
      return undefined;
    }
    const before = place.row;
    if (next === undefined) {
      for (const index of this.indexes.values()) index.remove(place);
      this.places.delete(key);
    } else {
      this.change(place, next);
    }
    return before;
  }

  private add(key: GroupKey, row: MemoryRow): void {
    const place = { row };
    this.places.set(key, place);
    for (const index of this.indexes.values()) index.insert(place);
  }

  private change(place: Place, next: MemoryRow): void {
    const before = place.row;
    for (const index of this.indexes.values()) {
      if (!index.isMoved(before, next)) continue;
      index.remove(place);
      place.row = next;
      index.insert(place);
      place.row = before;
    }
    place.row = next;
  }

  select(query: Query): MemoryRow[] {
    const index = this.index(query.index);
    const group = index.places(query.equals ?? []);
    if (group.length === 0) return [];
    const [start, end] = bounds(group, index.order[0] as string, query);
    const limit = query.limit ?? Number.POSITIVE_INFINITY;
    const rows = (from: number, to: number) => group.slice(from, to).map(({ row }) => row);
    if (query.descending === true) return rows(Math.max(start, end - limit), end).toReversed();
    return rows(start, Math.min(end, start + limit));
  }

  distinct(name: string, first: KeyValue): MemoryRow[] {
    const { equals, order } = this.definition(name);
    const columns = [...equals, ...order];
    const found = new Map<GroupKey, MemoryRow>();
    for (const { row } of this.places.values()) {
      if (row[columns[0] as string] !== first) continue;
      const values = columns.map((column) => row[column]);
      found.set(
        groupKey(values),
        Object.fromEntries(columns.map((column) => [column, row[column]])),
      );
    }
    return [...found.values()];
  }

  /** Made when it is first asked for: a program that never reads by it never pays for it. */
  private index(name: string): MemoryIndex {
    const known = this.indexes.get(name);
    if (known !== undefined) return known;
    const { equals, order } = this.definition(name);
    const made = new MemoryIndex(equals, [...order, ...this.table.key], this.places.values());
    this.indexes.set(name, made);
    return made;
  }

  private definition(name: string): Index<string> {
    const { key, indexes } = this.table;
    const found = name === "key" ? { equals: [], order: key } : indexes[name];
    if (found === undefined) throw new Error(`the table ${this.table.name} has no index ${name}`);
    return found;
  }
}

function keyIn(row: MemoryRow, columns: Order): GroupKey {
  if (columns.length === 1) return single(row[columns[0] as string]);
  return groupKey(columns.map((column) => row[column]));
}

/** Different for different values of as many columns. */
function groupKey(values: readonly unknown[]): GroupKey {
  return values.length === 1 ? single(values[0]) : JSON.stringify(values);
}

function single(value: unknown): GroupKey {
  return (value ?? null) as GroupKey;
}

/** The first place whose row does not come before `row`. */
function position(places: readonly Place[], row: MemoryRow, order: Order): number {
  const last = places.at(-1);
  if (last === undefined || compare(last.row, row, order) < 0) return places.length;
  return firstPlace(places, (candidate) => compare(candidate, row, order) >= 0);
}

/** @param holds false for the rows up to some place, true from there on */
function firstPlace(places: readonly Place[], holds: (row: MemoryRow) => boolean): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds((places[middle] as Place).row)) high = middle;
    else low = middle + 1;
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

function bounds(places: readonly Place[], column: string, query: Query): [number, number] {
  const firstWhere = (holds: (value: unknown) => boolean) =>
    firstPlace(places, (row) => holds(row[column]));
  const { from, after, upTo, before } = query;
  let start = 0;
  let end = places.length;
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

export function memoryKey(key: readonly KeyValue[]): GroupKey {
  return groupKey(key);
}
