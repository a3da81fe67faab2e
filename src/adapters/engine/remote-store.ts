import type { CommittedReader, RowStore } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { KeyValue, Query, Table } from "../../schema/rows/table.ts";
import { RowCodec } from "./libsql-rows.ts";
import * as sql from "./libsql-sql.ts";
import type { MemoryStore } from "./memory-store.ts";
import { ConflictError, type RemoteDatabase, type RemoteStatement } from "./remote-client.ts";

/** Rows in memory, and each transaction's writes sent to a remote database as one batch.
 *
 *  Each batch counts on: it sets the writer's row from the last number to the next, or fails whole. A batch whose answer is lost
 *  may have been done or may still come; the next one counts from the same number, so only one of both can be, and first puts back
 *  what the lost one touched. Another process that opens the database becomes its writer, and this store is refused from then on. */

/** One row; setting its number to NULL is what makes a batch fail. */
export const writerTable = `CREATE TABLE "statehive_writer" ("number" INTEGER NOT NULL, "version" INTEGER NOT NULL, "writer" TEXT NOT NULL)`;

export const currentWriter = `SELECT "number", "version", "writer" FROM "statehive_writer"`;

const countOn = `UPDATE "statehive_writer" SET "number" = CASE WHEN "number" = ? AND "writer" = ? THEN ? END`;

export type RemoteStoreParts = {
  readonly database: RemoteDatabase;
  readonly memory: MemoryStore;
  readonly tables: readonly Table[];
  /** This opening of the database. */
  readonly writer: string;
  /** Of the batch that claimed the database. */
  readonly lastNumber: number;
};

type Kept = {
  readonly table: Table;
  readonly codec: RowCodec;
  readonly putSql: string;
  readonly removeSql: string;
};
type Row = Record<string, unknown>;

export class RemoteStore implements RowStore {
  readonly committed: CommittedReader;
  private readonly parts: RemoteStoreParts;
  private readonly kept = new Map<string, Kept>();
  private lastNumber: number;
  private state: "idle" | "open" | "committing" | "closed" = "idle";
  private writes: RemoteStatement[] = [];
  private restores = new Map<string, RemoteStatement>();
  /** What lost batches may have changed, by table and key. */
  private owedRestores = new Map<string, RemoteStatement>();
  private ousted: AgentError | undefined;

  constructor(parts: RemoteStoreParts) {
    this.parts = parts;
    this.lastNumber = parts.lastNumber;
    for (const table of parts.tables) {
      this.kept.set(table.name, {
        table,
        codec: new RowCodec(table),
        putSql: sql.putSql(table),
        removeSql: sql.removeSql(table),
      });
    }
    this.committed = {
      get: this.readOne.bind(this),
      select: this.readMany.bind(this),
      count: this.countMany.bind(this),
    };
  }

  get<R extends object>(table: Table<R>, ...key: KeyValue[]): R | undefined {
    return this.parts.memory.get(table, ...key);
  }

  select<R extends object>(table: Table<R>, query: Query): R[] {
    return this.parts.memory.select(table, query);
  }

  distinct<R extends object>(table: Table<R>, index: string, first: KeyValue): Partial<R>[] {
    return this.parts.memory.distinct(table, index, first);
  }

  put<R extends object>(table: Table<R>, row: R): void {
    const { codec, putSql, table: plain } = this.writable(table);
    const args = codec.encodeRow(row as Row);
    this.remember(
      plain,
      plain.key.map((column) => (row as Row)[column] as KeyValue),
    );
    this.parts.memory.put(table, row);
    this.writes.push({ sql: putSql, args });
  }

  patch<R extends object>(table: Table<R>, key: readonly KeyValue[], changes: Partial<R>): void {
    const { codec, table: plain } = this.writable(table);
    const names = Object.keys(changes);
    if (names.length === 0) return;
    const values = names.map((name) => codec.encode(codec.column(name), (changes as Row)[name]));
    this.remember(plain, key);
    this.parts.memory.patch(table, key, changes);
    this.writes.push({
      sql: sql.patchSql(plain, names),
      args: [...values, ...codec.encodeKey(key)],
    });
  }

  remove<R extends object>(table: Table<R>, ...key: KeyValue[]): void {
    const { codec, removeSql, table: plain } = this.writable(table);
    const args = codec.encodeKey(key);
    this.remember(plain, key);
    this.parts.memory.remove(table, ...key);
    this.writes.push({ sql: removeSql, args });
  }

  begin(): void {
    if (this.ousted !== undefined) throw this.ousted;
    if (this.state !== "idle") throw this.notNow("begin");
    this.parts.memory.begin();
    this.state = "open";
  }

  async commit(): Promise<void> {
    if (this.state !== "open") throw this.notNow("commit");
    this.state = "committing";
    try {
      if (this.writes.length > 0) await this.send();
    } catch (error) {
      if (error instanceof AgentError && error.code === "store.unavailable") this.oweRestores();
      this.state = "open";
      this.rollback();
      throw error;
    }
    this.owedRestores.clear();
    this.forget();
    await this.parts.memory.commit();
    this.state = "idle";
  }

  rollback(): void {
    if (this.state === "committing") throw this.notNow("rollback");
    if (this.state !== "open") return;
    this.forget();
    this.parts.memory.rollback();
    this.state = "idle";
  }

  async close(): Promise<void> {
    if (this.state === "closed") return;
    if (this.state === "open") this.rollback();
    this.state = "closed";
    await this.parts.memory.close();
    this.parts.database.close();
  }

  private async send(): Promise<void> {
    for (;;) {
      try {
        await this.sendNext();
        return;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        await this.recogniseLostBatch(error);
      }
    }
  }

  /** @throws AgentError when it was not a lost batch of ours that counted on */
  private async recogniseLostBatch(conflict: ConflictError): Promise<void> {
    const [current] = await this.parts.database.rows({ sql: currentWriter, args: [] });
    const [number, , writer] = current ?? [];
    const isOurs = writer === this.parts.writer && number === this.lastNumber + 1;
    if (!isOurs || this.owedRestores.size === 0) throw this.oust(conflict);
    this.lastNumber += 1;
  }

  private async sendNext(): Promise<void> {
    const { database, writer } = this.parts;
    const next = this.lastNumber + 1;
    await database.batch([
      { sql: countOn, args: [this.lastNumber, writer, next] },
      ...this.owedRestores.values(),
      ...this.writes,
    ]);
    this.lastNumber = next;
  }

  /** As `store.unavailable`, which stops the intake: nothing that this process decides can be kept any more. */
  private oust(cause: unknown): AgentError {
    this.ousted = new AgentError(
      "store.unavailable",
      "another statehive has opened this database and is its writer now",
      {
        hint: "stop one of the two and restart the other",
        cause,
      },
    );
    return this.ousted;
  }

  /** How the row was before the transaction's first write to it. */
  private remember(table: Table, key: readonly KeyValue[]): void {
    const name = JSON.stringify([table.name, ...key]);
    if (this.restores.has(name)) return;
    const { codec, putSql, removeSql } = this.writable(table);
    const before = this.parts.memory.get(table, ...key);
    this.restores.set(
      name,
      before === undefined
        ? { sql: removeSql, args: codec.encodeKey(key) }
        : { sql: putSql, args: codec.encodeRow(before) },
    );
  }

  private oweRestores(): void {
    for (const [name, restore] of this.restores) this.owedRestores.set(name, restore);
  }

  private forget(): void {
    this.writes = [];
    this.restores.clear();
  }

  private async readOne<R extends object>(
    table: Table<R>,
    ...key: KeyValue[]
  ): Promise<R | undefined> {
    const { codec, table: plain } = this.readable(table);
    const [row] = await this.parts.database.rows({
      sql: sql.getSql(plain),
      args: codec.encodeKey(key),
    });
    return row === undefined ? undefined : (codec.decodeRow(row) as R);
  }

  private async readMany<R extends object>(table: Table<R>, query: Query): Promise<R[]> {
    const { codec, table: plain } = this.readable(table);
    const args = codec.encodeQuery(query, sql.indexOf(plain, query.index));
    const rows = await this.parts.database.rows({ sql: sql.selectSql(plain, query), args });
    return rows.map((row) => codec.decodeRow(row) as R);
  }

  private async countMany<R extends object>(table: Table<R>, query: Query): Promise<number> {
    const { codec, table: plain } = this.readable(table);
    const args = codec.encodeQuery(query, sql.indexOf(plain, query.index));
    const [row] = await this.parts.database.rows({ sql: sql.countSql(plain, query), args });
    return Number(row?.[0]);
  }

  private readable(table: { readonly name: string }): Kept {
    if (this.state === "closed") throw this.notNow("read");
    const found = this.kept.get(table.name);
    if (found === undefined)
      throw new AgentError("internal", `the store has no table ${table.name}`);
    return found;
  }

  private writable(table: { readonly name: string }): Kept {
    if (this.state !== "open") throw this.notNow(`a write to ${table.name}`);
    return this.readable(table);
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
