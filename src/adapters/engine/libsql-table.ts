import type { KeyValue, Query, Table } from "../../schema/rows/table.ts";
import { AgentError } from "../../schema/errors.ts";
import type { LibsqlConnection, LibsqlStatement } from "../libsql/libsql-connection.ts";
import { RecentRows } from "./libsql-recent-rows.ts";
import { RowCodec } from "./libsql-rows.ts";
import * as sql from "./libsql-sql.ts";

type Row = Record<string, unknown>;

/** One table on the writing connection; every statement is prepared once, when it is first needed. */
export class LibsqlTable {
  private readonly connection: LibsqlConnection;
  private readonly table: Table;
  private readonly codec: RowCodec;
  private readonly statements = new Map<string, LibsqlStatement>();
  private readonly getRow: LibsqlStatement;
  private readonly putRow: LibsqlStatement;
  private readonly removeRow: LibsqlStatement;
  private readonly recent = new RecentRows();
  /** Of a table that is never read by key nothing is kept. */
  private isReadByKey = false;

  constructor(connection: LibsqlConnection, table: Table) {
    this.connection = connection;
    this.table = table;
    this.codec = new RowCodec(table);
    this.getRow = connection.prepare(sql.getSql(table));
    this.putRow = connection.prepare(sql.putSql(table));
    this.removeRow = connection.prepare(sql.removeSql(table));
  }

  get(key: readonly KeyValue[]): Row | undefined {
    const place = this.codec.encodeKey(key);
    this.isReadByKey = true;
    let values = this.recent.get(place);
    if (values === undefined) {
      values = this.getRow.get(place) ?? null;
      this.recent.keep(place, values);
    }
    return values === null ? undefined : this.codec.decodeRow(values);
  }

  put(row: Row): void {
    const values = this.codec.encodeRow(row);
    this.putRow.run(values);
    if (this.isReadByKey) this.recent.keep(this.codec.keyIn(values), values);
  }

  patch(key: readonly KeyValue[], changes: Row): void {
    const names = Object.keys(changes);
    if (names.length === 0) return;
    const statement = this.statement(`patch ${names.join(" ")}`, () => this.patchSql(names));
    const values = names.map((name) => this.codec.encode(this.codec.column(name), changes[name]));
    const place = this.codec.encodeKey(key);
    statement.run([...values, ...place]);
    const before = this.recent.get(place);
    if (before) this.recent.keep(place, this.codec.withColumns(before, names, values));
  }

  remove(key: readonly KeyValue[]): void {
    const place = this.codec.encodeKey(key);
    this.removeRow.run(place);
    this.recent.forget(place);
  }

  /** What was written since the transaction began is not in the file. */
  takeBack(): void {
    this.recent.forgetAll();
  }

  select(query: Query): Row[] {
    const statement = this.statement(sql.shapeOf(query), () => sql.selectSql(this.table, query));
    const values = this.codec.encodeQuery(query, sql.indexOf(this.table, query.index));
    return statement.all(values).map((row) => this.codec.decodeRow(row));
  }

  distinct(index: string, first: KeyValue): Row[] {
    const columns = sql.distinctColumns(this.table, index);
    const statement = this.statement(`distinct ${index}`, () => sql.distinctSql(this.table, index));
    const value = this.codec.encode(this.codec.column(columns[0] ?? ""), first);
    return statement.all([value]).map((row) => this.codec.decodeColumns(columns, row));
  }

  private patchSql(names: readonly string[]): string {
    for (const name of names) {
      if (!this.codec.column(name).inKey) continue;
      throw new AgentError("internal", `a patch may not change the key of ${this.table.name}`);
    }
    return sql.patchSql(this.table, names);
  }

  private statement(name: string, text: () => string): LibsqlStatement {
    const cached = this.statements.get(name);
    if (cached !== undefined) return cached;
    const prepared = this.connection.prepare(text());
    this.statements.set(name, prepared);
    return prepared;
  }
}
