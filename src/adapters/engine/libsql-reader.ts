import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { KeyValue, Query, Table } from "../../schema/rows/table.ts";
import {
  LibsqlSideConnection,
  type LibsqlSideStatement,
  type SqlValue,
} from "../libsql/libsql-connection.ts";
import { RowCodec } from "./libsql-rows.ts";
import { OneAtATime } from "../turns/one-at-a-time.ts";
import { countSql, getSql, indexOf, selectSql } from "./libsql-sql.ts";

const busyTimeoutMs = 5000;
const rowsPerTurn = 200;

/** Connections that read at the same time; a long read holds up only what waits behind it. */
const laneCount = 2;

/** Reads committed rows through connections that cannot write; long reads give way to the rest of the process. */
export class LibsqlReader implements CommittedReader {
  private readonly lanes: readonly ReadingLane[];
  private readonly codecs = new Map<string, RowCodec>();
  private closed = false;

  /** @param name what SQLite opens read-only: `readOnlyName` or `unchangingName` of a path */
  constructor(name: string, tables: readonly Table[]) {
    this.lanes = Array.from({ length: laneCount }, () => new ReadingLane(name));
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

  async count<R extends object>(table: Table<R>, query: Query): Promise<number> {
    const plain = table as unknown as Table;
    const values = this.codec(plain).encodeQuery(query, indexOf(plain, query.index));
    const [count] = await this.idlest().read(countSql(plain, query), values, ([n]) => Number(n));
    return count ?? 0;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.all(this.lanes.map((lane) => lane.close()));
  }

  private codec(table: Table): RowCodec {
    if (this.closed) throw new AgentError("store.unavailable", "the store is closed");
    const codec = this.codecs.get(table.name);
    if (codec === undefined)
      throw new AgentError("internal", `the store has no table ${table.name}`);
    return codec;
  }

  private read(codec: RowCodec, sql: string, values: readonly SqlValue[]): Promise<unknown[]> {
    return this.idlest().read(sql, values, (row) => codec.decodeRow(row));
  }

  private idlest(): ReadingLane {
    const [first, ...others] = this.lanes as [ReadingLane, ...ReadingLane[]];
    return others.reduce((best, next) => (next.waiting < best.waiting ? next : best), first);
  }
}

type Decode<T> = (row: readonly SqlValue[]) => T;

/** One connection, one read after the other: while any statement of a connection is under way, all of them keep the view of the
 *  file that the first one began with, and what was committed since is not seen. */
class ReadingLane {
  private readonly connection: LibsqlSideConnection;
  private readonly statements = new Map<string, LibsqlSideStatement>();
  private readonly turns = new OneAtATime();
  waiting = 0;

  constructor(name: string) {
    this.connection = new LibsqlSideConnection(name, busyTimeoutMs);
  }

  async read<T>(sql: string, values: readonly SqlValue[], decode: Decode<T>): Promise<T[]> {
    this.waiting += 1;
    try {
      return await this.turns.run(() => this.run(sql, values, decode));
    } finally {
      this.waiting -= 1;
    }
  }

  private async run<T>(sql: string, values: readonly SqlValue[], decode: Decode<T>): Promise<T[]> {
    const statement = this.statements.get(sql) ?? (await this.connection.prepare(sql));
    this.statements.set(sql, statement);
    const rows: T[] = [];
    for (const row of await statement.rows(values)) {
      rows.push(decode(row));
      if (rows.length % rowsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return rows;
  }

  async close(): Promise<void> {
    await this.turns.idle();
    this.statements.clear();
    this.connection.close();
  }
}
