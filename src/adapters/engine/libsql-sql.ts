import { AgentError } from "../../schema/errors.ts";
import type { ColumnType, Index, Query, Table } from "../../schema/rows/table.ts";

/** SQL made from table definitions. Indexes end with the key, so that every order is total. */

const sqlTypes: Readonly<Record<ColumnType, string>> = {
  text: "TEXT",
  integer: "INTEGER",
  real: "REAL",
  json: "TEXT",
};

const quoted = (name: string) => `"${name}"`;
const list = (names: readonly string[]) => names.map(quoted).join(", ");
const equalTo = (names: readonly string[]) => names.map((name) => `${quoted(name)} = ?`);

/** The statements that make these tables in an empty file. */
export function schemaOf(tables: readonly Table[]): string {
  return tables.map((table) => [createTable(table), ...createIndexes(table)].join("")).join("\n");
}

function createTable(table: Table): string {
  const counted = hasRowIdKey(table);
  const columns = Object.entries(table.columns).map(([name, type]) => {
    if (!table.key.includes(name)) return `  ${quoted(name)} ${sqlTypes[type]}`;
    return `  ${quoted(name)} ${sqlTypes[type]} ${counted ? "PRIMARY KEY" : "NOT NULL"}`;
  });
  const key = counted ? [] : [`  PRIMARY KEY (${list(table.key)})`];
  return `CREATE TABLE ${quoted(table.name)} (\n${[...columns, ...key].join(",\n")}\n);\n`;
}

function createIndexes(table: Table): string[] {
  return Object.entries(table.indexes).map(([name, index]) => {
    const columns = hasRowIdKey(table)
      ? indexColumns(index)
      : totalOrder(indexColumns(index), table);
    return `CREATE INDEX ${quoted(`${table.name}_${name}`)} ON ${quoted(table.name)} (${list(columns)});\n`;
  });
}

/** A single integer key is SQLite's row number: one tree less. */
function hasRowIdKey(table: Table): boolean {
  const types: Readonly<Record<string, ColumnType>> = table.columns;
  return table.key.length === 1 && types[table.key[0] ?? ""] === "integer";
}

function indexColumns({ equals, order }: Index<string>): readonly string[] {
  return [...equals, ...order];
}

function totalOrder(columns: readonly string[], table: Table): readonly string[] {
  return [...new Set([...columns, ...table.key])];
}

export function indexOf(table: Table, name: string): Index<string> {
  const index = name === "key" ? { equals: [], order: table.key } : table.indexes[name];
  if (index === undefined)
    throw new AgentError("internal", `the table ${table.name} has no index ${name}`);
  return index;
}

export function putSql(table: Table): string {
  const names = Object.keys(table.columns);
  const others = names.filter((name) => !table.key.includes(name));
  const update = others.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(", ");
  const onConflict = others.length === 0 ? "DO NOTHING" : `DO UPDATE SET ${update}`;
  const places = names.map(() => "?").join(", ");
  return `INSERT INTO ${quoted(table.name)} (${list(names)}) VALUES (${places}) ON CONFLICT (${list(table.key)}) ${onConflict}`;
}

export function patchSql(table: Table, columns: readonly string[]): string {
  return `UPDATE ${quoted(table.name)} SET ${equalTo(columns).join(", ")} WHERE ${equalTo(table.key).join(" AND ")}`;
}

export function removeSql(table: Table): string {
  return `DELETE FROM ${quoted(table.name)} WHERE ${equalTo(table.key).join(" AND ")}`;
}

export function getSql(table: Table): string {
  return `SELECT ${list(Object.keys(table.columns))} FROM ${quoted(table.name)} WHERE ${equalTo(table.key).join(" AND ")}`;
}

/** The values that `selectSql` takes, in its order: equals without nulls, from, after, upTo, before, limit. */
export function selectSql(table: Table, query: Query): string {
  const { order } = indexOf(table, query.index);
  const direction = query.descending === true ? " DESC" : "";
  const orderBy = totalOrder(order, table).map((name) => quoted(name) + direction);
  return `SELECT ${list(Object.keys(table.columns))} ${matching(table, query)} ORDER BY ${orderBy.join(", ")}${limitOf(query)}`;
}

/** Takes the same values. */
export function countSql(table: Table, query: Query): string {
  return `SELECT count(*) FROM (SELECT 1 ${matching(table, query)}${limitOf(query)})`;
}

const limitOf = ({ limit }: Query) => (limit === undefined ? "" : " LIMIT ?");

function matching(table: Table, query: Query): string {
  const { equals, order } = indexOf(table, query.index);
  const values = query.equals ?? [];
  if (values.length !== equals.length) {
    throw new AgentError(
      "internal",
      `the index ${query.index} of ${table.name} takes ${equals.length} values`,
    );
  }
  const first = quoted(order[0] ?? table.key[0] ?? "");
  const conditions = [
    ...equals.map((name, at) => `${quoted(name)} ${values[at] === null ? "IS NULL" : "= ?"}`),
    ...(query.from === undefined ? [] : [`${first} >= ?`]),
    ...(query.after === undefined ? [] : [`${first} > ?`]),
    ...(query.upTo === undefined ? [] : [`${first} <= ?`]),
    ...(query.before === undefined ? [] : [`${first} < ?`]),
  ];
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  return `FROM ${quoted(table.name)}${where}`;
}

/** Queries of one shape have the same SQL. */
export function shapeOf(query: Query): string {
  let shape = query.index;
  for (const value of query.equals ?? []) shape += value === null ? " 0" : " ?";
  if (query.from !== undefined) shape += " >=";
  if (query.after !== undefined) shape += " >";
  if (query.upTo !== undefined) shape += " <=";
  if (query.before !== undefined) shape += " <";
  if (query.descending === true) shape += " desc";
  return query.limit === undefined ? shape : `${shape} limit`;
}

export function distinctColumns(table: Table, index: string): readonly string[] {
  return indexColumns(indexOf(table, index));
}

export function distinctSql(table: Table, index: string): string {
  const columns = distinctColumns(table, index);
  const first = quoted(columns[0] ?? "");
  return `SELECT DISTINCT ${list(columns)} FROM ${quoted(table.name)} WHERE ${first} = ?`;
}
