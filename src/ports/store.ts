import type { KeyValue, Query, Table } from "../schema/rows/table.ts";

/** What a transaction can do: synchronous, so that nothing else comes between a read and the write it decides. */
export type RowReader = {
  get<R extends object>(table: Table<R>, ...key: KeyValue[]): R | undefined;
  select<R extends object>(table: Table<R>, query: Query): R[];
};

export type RowWriter = {
  put<R extends object>(table: Table<R>, row: R): void;
  patch<R extends object>(table: Table<R>, key: readonly KeyValue[], changes: Partial<R>): void;
  remove<R extends object>(table: Table<R>, ...key: KeyValue[]): void;
};

/** Reads of committed rows beside the transaction; never blocks the writer. */
export type CommittedReader = {
  get<R extends object>(table: Table<R>, ...key: KeyValue[]): Promise<R | undefined>;
  select<R extends object>(table: Table<R>, query: Query): Promise<R[]>;
  /** How many rows `select` would give, without reading them. */
  count<R extends object>(table: Table<R>, query: Query): Promise<number>;
};

/** A store of rows with one writer.
 *
 *  Between `begin` and the end of `commit` or `rollback` reads and writes are of that transaction. `commit` resolves when the rows
 *  are durable to the degree that was configured. An AgentError `store.unavailable` (disk full, I/O) leaves the store as it was before
 *  `begin`, and later transactions may succeed; any other error means that the rows themselves were refused.
 *  Rows come back as values of their own: changing one changes nothing in the store. */
export type RowStore = RowReader &
  RowWriter & {
    begin(): void;
    commit(): Promise<void>;
    rollback(): void;
    /** The different values of the index's columns, over all rows whose first `equals` column is `first`. */
    distinct<R extends object>(table: Table<R>, index: string, first: KeyValue): Partial<R>[];
    readonly committed: CommittedReader;
    close(): Promise<void>;
  };
