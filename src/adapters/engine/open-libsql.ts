import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { Table } from "../../schema/table.ts";
import { LibsqlConnection } from "./libsql-connection.ts";
import { ensurePrivateFile, pathOfUrl, sizeOf } from "./libsql-file.ts";
import { bringUpToDate, latestVersion, storeMigrations, versionOf } from "./libsql-migrations.ts";
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
  if ((sizeOf(path) ?? 0) > 0) versionOf(path, migrations);
  else ensurePrivateFile(path);
  const connection = new LibsqlConnection(path, busyTimeoutMs);
  try {
    for (const pragma of pragmas(durability)) connection.exec(`PRAGMA ${pragma}`);
    await bringUpToDate(connection, path, { tables, migrations });
    checkTables(connection, path, tables);
    const reader = new LibsqlReader(path, tables);
    return new LibsqlRowStore({ path, tables, durability, connection, reader });
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Reads of a file while no service runs: makes, migrates and locks nothing.
 *  @throws AgentError `file.not_found`, `store.newer`, `store.corrupt` or `store.unavailable` (not migrated yet) */
export async function openReadOnly(
  options: Pick<LibsqlStoreOptions, "url" | "tables" | "migrations">,
): Promise<{ readonly committed: CommittedReader; close(): Promise<void> }> {
  const { url, tables, migrations = storeMigrations } = options;
  const path = pathOfUrl(url);
  const size = sizeOf(path);
  if (size === undefined) {
    throw new AgentError("file.not_found", `there is no database ${path}`, {
      hint: "the service makes it at its first start",
    });
  }
  const version = size === 0 ? 0 : versionOf(path, migrations);
  if (version !== latestVersion(migrations)) {
    throw new AgentError(
      "store.unavailable",
      `${path} has version ${version}, which only a start of the service brings up to date`,
    );
  }
  const reader = new LibsqlReader(path, tables);
  return { committed: reader, close: () => reader.close() };
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
