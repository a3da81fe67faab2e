import { AgentError } from "../../schema/errors.ts";
import type { Table } from "../../schema/rows/table.ts";
import { LibsqlConnection } from "../libsql/libsql-connection.ts";
import { ensurePrivateFile, pathOfUrl, readOnlyName, sizeOf } from "../libsql/libsql-file.ts";
import { bringUpToDate, storeMigrations, versionOf } from "./libsql-migrations.ts";
import { LibsqlReader } from "./libsql-reader.ts";
import { missingFrom } from "./libsql-schema.ts";
import { type Durability, LibsqlRowStore, type LibsqlStore } from "./libsql-store.ts";

export type LibsqlStoreOptions = {
  /** `file:/absolute/path`; the directory is there already. */
  readonly url: string;
  readonly tables: readonly Table[];
  readonly durability: Durability;
  /** For tests of migrating; else the product's own. */
  readonly migrations?: readonly string[];
};

const busyTimeoutMs = 1000;

/** Opens the one writer of a file, making the file or bringing it up to date first.
 *  @throws AgentError `store.newer`, `store.corrupt` or `store.unavailable` */
export async function openLibsqlStore(options: LibsqlStoreOptions): Promise<LibsqlStore> {
  const { url, tables, durability, migrations = storeMigrations } = options;
  const path = pathOfUrl(url);
  if ((sizeOf(path) ?? 0) > 0) versionOf({ path, name: readOnlyName(path) }, migrations);
  else ensurePrivateFile(path);
  const connection = new LibsqlConnection(path, busyTimeoutMs);
  try {
    for (const pragma of pragmas(durability)) connection.exec(`PRAGMA ${pragma}`);
    await bringUpToDate(connection, path, { tables, migrations });
    checkTables(connection, path, tables);
    const reader = new LibsqlReader(readOnlyName(path), tables);
    return new LibsqlRowStore({ path, tables, durability, connection, reader });
  } catch (error) {
    connection.close();
    throw error;
  }
}

function pragmas(durability: Durability): readonly string[] {
  const lasting = durability === "power";
  return [
    "auto_vacuum = INCREMENTAL",
    "journal_mode = WAL",
    `synchronous = ${lasting ? "FULL" : "NORMAL"}`,
    `wal_autocheckpoint = ${lasting ? 1000 : 0}`,
  ];
}

function checkTables(connection: LibsqlConnection, path: string, tables: readonly Table[]): void {
  const missing = missingFrom(connection, tables);
  if (missing.length === 0) return;
  throw new AgentError("store.corrupt", `${path} lacks ${missing.join("; ")}`);
}
