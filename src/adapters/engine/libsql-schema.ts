import type { Table } from "../../schema/rows/table.ts";
import { LibsqlConnection } from "../libsql/libsql-connection.ts";
import { schemaOf } from "./libsql-sql.ts";

const columnsSql = `SELECT 'column ' || m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' key ' || c.pk
  FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`;

const indexesSql = `SELECT 'index ' || m.tbl_name || '.' || m.name || ' ' || group_concat(c.name, ' ')
  FROM sqlite_master m, pragma_index_info(m.name) c WHERE m.type = 'index' AND m.sql IS NOT NULL GROUP BY m.tbl_name, m.name`;

/** What a database holds, one line for each column and index, in a fixed order. */
export function describeSchema(connection: LibsqlConnection): readonly string[] {
  const lines = [...connection.rows(columnsSql), ...connection.rows(indexesSql)];
  return lines.map(([line]) => String(line)).toSorted();
}

/** What a database made from these tables holds. */
export function describeTables(tables: readonly Table[]): readonly string[] {
  const connection = new LibsqlConnection(":memory:", 0);
  try {
    connection.exec(schemaOf(tables));
    return describeSchema(connection);
  } finally {
    connection.close();
  }
}

/** Columns and indexes that the tables ask for and the database lacks. */
export function missingFrom(
  connection: LibsqlConnection,
  tables: readonly Table[],
): readonly string[] {
  const present = new Set(describeSchema(connection));
  return describeTables(tables).filter((line) => !present.has(line));
}
