import { randomUUID } from "node:crypto";
import type { RowStore } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { Table } from "../../schema/rows/table.ts";
import { latestVersion, storeMigrations } from "./libsql-migrations.ts";
import { RowCodec } from "./libsql-rows.ts";
import { schemaOf, selectSql } from "./libsql-sql.ts";
import { createMemoryStore } from "./memory-store.ts";
import { connectRemote, type RemoteDatabase, type RemoteStatement } from "./remote-client.ts";
import { currentWriter, RemoteStore, writerTable } from "./remote-store.ts";

export type RemoteStoreOptions = {
  /** `libsql:` or `https:` */
  readonly url: string;
  readonly authToken?: string;
  readonly tables: readonly Table[];
};

/** Opens a database on another machine: all its rows are loaded, and every commit is one round trip.
 *  Whoever opens it last is its one writer.
 *  @throws AgentError `config.invalid`, `store.newer`, `store.corrupt`, `store.unavailable` */
export async function openRemoteStore({
  url,
  authToken,
  tables,
}: RemoteStoreOptions): Promise<RowStore> {
  return openRemoteDatabase(connectRemote(url, authToken), tables, storeMigrations);
}

export async function openRemoteDatabase(
  database: RemoteDatabase,
  tables: readonly Table[],
  migrations: readonly string[],
): Promise<RowStore> {
  try {
    await bringUpToDate(database, tables, migrations);
    const writer = randomUUID();
    const { rows, lastNumber } = await claim(database, tables, writer);
    const memory = createMemoryStore({ tables, strict: true });
    memory.begin();
    for (const { table, row } of rows) memory.put(table, row);
    await memory.commit();
    return new RemoteStore({ database, memory, tables, writer, lastNumber });
  } catch (error) {
    database.close();
    throw error;
  }
}

async function bringUpToDate(
  database: RemoteDatabase,
  tables: readonly Table[],
  migrations: readonly string[],
): Promise<void> {
  const latest = latestVersion(migrations);
  const version = await versionOf(database);
  if (version === latest) return;
  if (version > latest) {
    throw new AgentError(
      "store.newer",
      `the database has version ${version}; this statehive knows versions up to ${latest}`,
      {
        hint: "update statehive",
      },
    );
  }
  const steps =
    version === 0
      ? [schemaOf(tables), writerTable, `INSERT INTO "statehive_writer" VALUES (1, ${latest}, '')`]
      : [...migrations.slice(version - 1), `UPDATE "statehive_writer" SET "version" = ${latest}`];
  await database.batch(steps.flatMap(statementsOf));
}

async function versionOf(database: RemoteDatabase): Promise<number> {
  const known = `SELECT count(*) FROM sqlite_master WHERE name = 'statehive_writer'`;
  const [present] = await database.rows({ sql: known, args: [] });
  if (present?.[0] === 0) return 0;
  const [last] = await database.rows({ sql: currentWriter, args: [] });
  return Number(last?.[1] ?? 0);
}

/** In the schema's SQL and in migrations a statement ends with its line. */
function statementsOf(sql: string): RemoteStatement[] {
  const texts = sql.split(/;\s*(?:\n|$)/).filter((text) => text.trim() !== "");
  return texts.map((text) => ({ sql: text, args: [] }));
}

type LoadedRow = { readonly table: Table; readonly row: Record<string, unknown> };

async function claim(
  database: RemoteDatabase,
  tables: readonly Table[],
  writer: string,
): Promise<{ readonly rows: LoadedRow[]; readonly lastNumber: number }> {
  const [, current, ...results] = await database.batch([
    { sql: `UPDATE "statehive_writer" SET "number" = "number" + 1, "writer" = ?`, args: [writer] },
    { sql: currentWriter, args: [] },
    ...tables.map((table) => ({ sql: selectSql(table, { index: "key" }), args: [] })),
  ]);
  const rows = tables.flatMap((table, at) => {
    const codec = new RowCodec(table);
    return (results[at] ?? []).map((values) => ({ table, row: codec.decodeRow(values) }));
  });
  return { rows, lastNumber: Number(current?.[0]?.[0]) };
}
