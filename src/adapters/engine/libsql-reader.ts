import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { KeyValue, Query, Table } from "../../schema/table.ts";
import {
  LibsqlSideConnection,
  type LibsqlSideStatement,
  type SqlValue,
} from "./libsql-connection.ts";
import { readOnlyName } from "./libsql-file.ts";
import { RowCodec } from "./libsql-rows.ts";
import { getSql, indexOf, selectSql } from "./libsql-sql.ts";

const busyTimeoutMs = 5000;
const rowsPerTurn = 200;

/** Reads committed rows through a connection that cannot write; long reads give way to the rest of the process. */
export class LibsqlReader implements CommittedReader {
  private readonly connection: LibsqlSideConnection;
  private readonly codecs = new Map<string, RowCodec>();
  private readonly spare = new Map<string, LibsqlSideStatement[]>();
  private readonly running = new Set<Promise<unknown>>();
  private closed = false;

  constructor(path: string, tables: readonly Table[]) {
    this.connection = new LibsqlSideConnection(readOnlyName(path), busyTimeoutMs);
    for (const table of tables) this.codecs.set(table.name, new RowCodec(table));
  }

  async get<R extends object>(table: Table<R>, ...key: KeyValue[]): Promise<R | undefined> {
    const plain = table as unknown as Table;
    const codec = this.codec(plain);
    const [row] = await this.read(codec, getSql(plain), codec.encodeKey(key));
    return row as R | undefined;
  }

  async select<R extends object>(table: Table<R>, query: Query): Promise<R[]> {
    const plain = table as unknown as Table;
    const codec = this.codec(plain);
    const values = codec.encodeQuery(query, indexOf(plain, query.index));
    return (await this.read(codec, selectSql(plain, query), values)) as R[];
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.allSettled(this.running);
    this.spare.clear();
    this.connection.close();
  }

  private codec(table: Table): RowCodec {
    if (this.closed) throw new AgentError("store.unavailable", "the store is closed");
    const codec = this.codecs.get(table.name);
    if (codec === undefined)
      throw new AgentError("internal", `the store has no table ${table.name}`);
    return codec;
  }

  private async read(
    codec: RowCodec,
    sql: string,
    values: readonly SqlValue[],
  ): Promise<unknown[]> {
    const reading = this.run(codec, sql, values);
    this.running.add(reading);
    try {
      return await reading;
    } finally {
      this.running.delete(reading);
    }
  }

  private async run(codec: RowCodec, sql: string, values: readonly SqlValue[]): Promise<unknown[]> {
    const statement = this.spare.get(sql)?.pop() ?? (await this.connection.prepare(sql));
    const rows: unknown[] = [];
    for (const row of await statement.rows(values)) {
      rows.push(codec.decodeRow(row));
      if (rows.length % rowsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const spare = this.spare.get(sql);
    if (spare === undefined) this.spare.set(sql, [statement]);
    else spare.push(statement);
    return rows;
  }
}
