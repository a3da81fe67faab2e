import type { SqlValue } from "../libsql/libsql-connection.ts";

/** The rows of one table that were last asked for by key or written, as the file holds them: the one writer need not ask it again
 *  for what it has just written. Forgotten whole when a transaction is taken back. */

type RowKey = SqlValue | undefined;

/** Null for a row that is known not to be there. */
export type RecentRow = readonly SqlValue[] | null;

const mostRows = 512;
const longestRow = 4096;

export class RecentRows {
  private readonly rows = new Map<RowKey, RecentRow>();

  /** @returns undefined where only the file knows */
  get(key: readonly SqlValue[]): RecentRow | undefined {
    return this.rows.get(keyOf(key));
  }

  keep(key: readonly SqlValue[], row: RecentRow): void {
    const place = keyOf(key);
    this.rows.delete(place);
    if (row !== null && lengthOf(row) > longestRow) return;
    this.rows.set(place, row);
    if (this.rows.size > mostRows) this.rows.delete(this.rows.keys().next().value);
  }

  forget(key: readonly SqlValue[]): void {
    this.rows.delete(keyOf(key));
  }

  forgetAll(): void {
    this.rows.clear();
  }
}

function keyOf(key: readonly SqlValue[]): RowKey {
  return key.length === 1 ? key[0] : JSON.stringify(key);
}

function lengthOf(row: readonly SqlValue[]): number {
  let length = 0;
  for (const value of row) if (typeof value === "string") length += value.length;
  return length;
}
