import type { CommittedReader, RowStore } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { KeyValue, Query, Table } from "../../schema/rows/table.ts";
import type { LibsqlConnection, LibsqlStatement } from "../libsql/libsql-connection.ts";
import type { LibsqlReader } from "./libsql-reader.ts";
import { ShortTurn } from "../turns/short-turn.ts";
import { LibsqlTable } from "./libsql-table.ts";

/** power: a commit survives a power cut; process: it survives the end of the process, and is cheaper. */
export type Durability = "power" | "process";

export type LibsqlStore = RowStore & {
  readonly path: string;
  /** Gives the pages of removed rows back to the file system, a few at a time, between transactions. */
  reclaim(): Promise<void>;
};

export type LibsqlStoreParts = {
  readonly path: string;
  readonly tables: readonly Table[];
  readonly durability: Durability;
  readonly connection: LibsqlConnection;
  readonly reader: LibsqlReader;
};

type State = "idle" | "open" | "committing" | "closed";

const commitsPerCheckpoint = 250;
const rowsOfShortRead = 64;
const pagesPerSlice = 200;
const pauseMs = 2;

export class LibsqlRowStore implements LibsqlStore {
  readonly path: string;
  readonly committed: CommittedReader;
  private readonly parts: LibsqlStoreParts;
  private readonly tables = new Map<string, LibsqlTable>();
  private readonly beginStatement: LibsqlStatement;
  private state: State = "idle";
  private failure: AgentError | undefined;
  private commitsSinceCheckpoint = 0;
  private readonly turn = new ShortTurn();

  constructor(parts: LibsqlStoreParts) {
    const { connection, tables, path, reader } = parts;
    this.parts = parts;
    this.path = path;
    const { turn } = this;
    this.committed = {
      get: async (table, ...key) => {
        await turn.giveWay();
        return this.isReadableAtOnce() ? this.get(table, ...key) : reader.get(table, ...key);
      },
      select: async (table, query) => {
        await turn.giveWay();
        return this.selectAtOnce(table, query) ?? reader.select(table, query);
      },
      count: async (table, query) => {
        await turn.giveWay();
        return reader.count(table, query);
      },
    };
    this.beginStatement = connection.prepare("BEGIN IMMEDIATE");
    for (const table of tables) this.tables.set(table.name, new LibsqlTable(connection, table));
  }

  get<R extends object>(table: Table<R>, ...key: KeyValue[]): R | undefined {
    const target = this.readable(table);
    return this.attempt(() => target.get(key)) as R | undefined;
  }

  select<R extends object>(table: Table<R>, query: Query): R[] {
    const target = this.readable(table);
    return this.attempt(() => target.select(query)) as R[];
  }

  distinct<R extends object>(table: Table<R>, index: string, first: KeyValue): Partial<R>[] {
    const target = this.readable(table);
    return this.attempt(() => target.distinct(index, first)) as Partial<R>[];
  }

  put<R extends object>(table: Table<R>, row: R): void {
    const target = this.writable(table);
    this.attempt(() => target.put(row as Record<string, unknown>));
  }

  patch<R extends object>(table: Table<R>, key: readonly KeyValue[], changes: Partial<R>): void {
    const target = this.writable(table);
    this.attempt(() => target.patch(key, changes as Record<string, unknown>));
  }

  remove<R extends object>(table: Table<R>, ...key: KeyValue[]): void {
    const target = this.writable(table);
    this.attempt(() => target.remove(key));
  }

  begin(): void {
    if (this.state !== "idle") throw this.notNow("begin");
    if (this.parts.connection.inTransaction) this.parts.connection.exec("ROLLBACK");
    this.beginStatement.run([]);
    this.state = "open";
  }

  async commit(): Promise<void> {
    if (this.state !== "open") throw this.notNow("commit");
    try {
      if (this.failure !== undefined) throw this.failure;
      this.state = "committing";
      if (this.parts.durability === "power") await this.parts.connection.execBeside("COMMIT");
      else this.parts.connection.exec("COMMIT");
      this.state = "idle";
    } catch (error) {
      this.undo();
      throw error;
    }
    if (this.parts.durability === "power") return;
    await this.checkpointNowAndThen();
    await this.turn.giveWay();
  }

  rollback(): void {
    if (this.state === "committing") throw this.notNow("rollback");
    if (this.state === "open") this.undo();
  }

  async reclaim(): Promise<void> {
    const { connection } = this.parts;
    for (;;) {
      while (this.state === "open" || this.state === "committing") await pause();
      if (this.state === "closed") return;
      if (connection.value("PRAGMA freelist_count") === 0) break;
      connection.exec(`PRAGMA incremental_vacuum(${pagesPerSlice})`);
      await pause();
    }
    connection.exec("PRAGMA wal_checkpoint(PASSIVE)");
  }

  async close(): Promise<void> {
    while (this.state === "committing") await pause();
    if (this.state === "closed") return;
    this.rollback();
    this.state = "closed";
    this.tables.clear();
    await this.parts.reader.close();
    whereThereIsRoom(() => this.parts.connection.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
    this.parts.connection.close();
  }

  /** Whether a query is short is known when it has given fewer rows than it may.
   *  @returns undefined where the answer is the reader's to give */
  private selectAtOnce<R extends object>(table: Table<R>, query: Query): R[] | undefined {
    if (!this.isReadableAtOnce()) return undefined;
    if (query.limit !== undefined && query.limit <= rowsOfShortRead) {
      return this.select(table, query);
    }
    const rows = this.select(table, { ...query, limit: rowsOfShortRead });
    return rows.length < rowsOfShortRead ? rows : undefined;
  }

  /** Between transactions the writer sees exactly what is committed; a short read here takes a fifth of the time. */
  private isReadableAtOnce(): boolean {
    return this.state === "idle" && !this.parts.connection.inTransaction;
  }

  private readable(table: { readonly name: string }): LibsqlTable {
    if (this.failure !== undefined) throw this.failure;
    if (this.state === "committing" || this.state === "closed")
      throw this.notNow(`use of ${table.name}`);
    const found = this.tables.get(table.name);
    if (found === undefined)
      throw new AgentError("internal", `the store has no table ${table.name}`);
    return found;
  }

  private writable(table: { readonly name: string }): LibsqlTable {
    const found = this.readable(table);
    if (this.state !== "open") throw this.notNow(`a write to ${table.name}`);
    return found;
  }

  /** SQLite may have ended the transaction by itself; until it is rolled back, nothing more may go through as if alone. */
  private attempt<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      const fatal = error instanceof AgentError && error.code !== "internal";
      if (fatal && this.state === "open") this.failure = error;
      throw error;
    }
  }

  private undo(): void {
    this.failure = undefined;
    this.state = "idle";
    for (const table of this.tables.values()) table.takeBack();
    whereThereIsRoom(() => {
      if (this.parts.connection.inTransaction) this.parts.connection.exec("ROLLBACK");
    });
  }

  /** In this mode commits are on the main thread, so the fsync of a checkpoint is kept away from them.
   *  The commit itself has succeeded: a checkpoint that fails is tried again after the next one. */
  private async checkpointNowAndThen(): Promise<void> {
    this.commitsSinceCheckpoint += 1;
    if (this.commitsSinceCheckpoint < commitsPerCheckpoint) return;
    this.commitsSinceCheckpoint = 0;
    this.state = "committing";
    try {
      await this.parts.connection.execBeside("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      this.commitsSinceCheckpoint = commitsPerCheckpoint;
    } finally {
      this.state = "idle";
    }
  }

  private notNow(what: string): AgentError {
    if (this.state === "closed") return new AgentError("store.unavailable", "the store is closed");
    const states = {
      idle: "outside a transaction",
      open: "within a transaction",
      committing: "during a commit",
    };
    return new AgentError("internal", `${what} ${states[this.state]}`);
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AgentError && error.code === "store.unavailable";
}

/** For what is only put off when the disk is full: the next transaction or the next start does it. */
function whereThereIsRoom(call: () => void): void {
  try {
    call();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMs));
}
