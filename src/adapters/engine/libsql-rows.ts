import { AgentError } from "../../schema/errors.ts";
import type { ColumnType, KeyValue, Query, Table } from "../../schema/rows/table.ts";
import type { SqlValue } from "../libsql/libsql-connection.ts";
import { readText, storedText } from "./libsql-text.ts";

/** Rows as SQL values and back, column by column. */

type Column = {
  readonly name: string;
  readonly type: ColumnType;
  readonly inKey: boolean;
  readonly at: number;
};

type Row = Record<string, unknown>;

export class RowCodec {
  private readonly table: Table;
  private readonly columns: readonly Column[];
  private readonly byName: ReadonlyMap<string, Column>;
  private readonly keyColumns: readonly Column[];

  constructor(table: Table) {
    this.table = table;
    this.columns = Object.entries(table.columns).map(([name, type], at) => ({
      name,
      type,
      inKey: table.key.includes(name),
      at,
    }));
    this.byName = new Map(this.columns.map((column) => [column.name, column]));
    this.keyColumns = table.key.map((name) => this.column(name));
  }

  column(name: string): Column {
    const column = this.byName.get(name);
    if (column === undefined)
      throw new AgentError("internal", `the table ${this.table.name} has no column ${name}`);
    return column;
  }

  encodeRow(row: Row): SqlValue[] {
    const { columns } = this;
    const values: SqlValue[] = [];
    for (let at = 0; at < columns.length; at += 1) {
      const column = columns[at] as Column;
      values.push(this.encode(column, row[column.name]));
    }
    return values;
  }

  encodeKey(key: readonly KeyValue[]): SqlValue[] {
    if (key.length !== this.keyColumns.length) {
      throw new AgentError(
        "internal",
        `the key of ${this.table.name} has ${this.keyColumns.length} values, not ${key.length}`,
      );
    }
    return key.map((value, at) => this.encode(this.keyColumns[at] as Column, value));
  }

  /** The key of a row that is encoded. */
  keyIn(values: readonly SqlValue[]): SqlValue[] {
    return this.keyColumns.map(({ at }) => values[at] as SqlValue);
  }

  /** An encoded row with other values in these columns. */
  withColumns(
    values: readonly SqlValue[],
    names: readonly string[],
    changes: readonly SqlValue[],
  ): SqlValue[] {
    const changed = [...values];
    for (const [at, name] of names.entries()) changed[this.column(name).at] = changes[at] ?? null;
    return changed;
  }

  encode(column: Column, value: unknown): SqlValue {
    if (value === null) {
      if (column.inKey) throw this.refusal(column, value);
      return null;
    }
    switch (column.type) {
      case "text":
        if (typeof value === "string") return storedText(value);
        break;
      case "integer":
        if (Number.isSafeInteger(value)) return value as number;
        break;
      case "real":
        if (Number.isFinite(value)) return value as number;
        break;
      case "json": {
        const text = JSON.stringify(value);
        if (text !== undefined) return text;
      }
    }
    throw this.refusal(column, value);
  }

  /** The values of a query, in the order of `selectSql`. */
  encodeQuery(
    query: Query,
    index: { readonly equals: readonly string[]; readonly order: readonly string[] },
  ): SqlValue[] {
    const values: SqlValue[] = [];
    for (const [at, value] of (query.equals ?? []).entries()) {
      if (value !== null) values.push(this.encode(this.column(index.equals[at] ?? ""), value));
    }
    for (const bound of [query.from, query.after, query.upTo, query.before]) {
      if (bound !== undefined) values.push(this.encode(this.column(index.order[0] ?? ""), bound));
    }
    if (query.limit !== undefined) values.push(Math.min(query.limit, Number.MAX_SAFE_INTEGER));
    return values;
  }

  decodeRow(values: readonly SqlValue[]): Row {
    return decode(this.columns, values);
  }

  decodeColumns(names: readonly string[], values: readonly SqlValue[]): Row {
    return decode(
      names.map((name) => this.column(name)),
      values,
    );
  }

  private refusal(column: Column, value: unknown): AgentError {
    const shown =
      typeof value === "number" ? String(value) : value === null ? "null" : typeof value;
    return new AgentError(
      "internal",
      `${this.table.name}.${column.name} is ${column.type} and cannot hold ${shown}`,
    );
  }
}

function decode(columns: readonly Column[], values: readonly SqlValue[]): Row {
  const row: Row = {};
  for (let at = 0; at < columns.length; at += 1) {
    const { name, type } = columns[at] as Column;
    const value = values[at] as SqlValue;
    if (typeof value !== "string") row[name] = value;
    else row[name] = type === "json" ? parsed(name, value) : readText(value);
  }
  return row;
}

function parsed(column: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AgentError("store.corrupt", `a row's ${column} is not JSON`, { cause: error });
  }
}
