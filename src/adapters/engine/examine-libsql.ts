import { latestVersion, storeMigrations } from "./libsql-migrations.ts";
import { LibsqlConnection } from "../libsql/libsql-connection.ts";
import { pathOfUrl, readOnlyName, sizeOf, unchangingName } from "../libsql/libsql-file.ts";

/** What a file says of itself to somebody who changes nothing. */
export type FileExamination = {
  readonly path: string;
  /** Null where there is no file. */
  readonly file: {
    readonly bytes: number;
    readonly version: number;
    readonly latest: number;
    /** What SQLite finds wrong; null for a file too large to be read whole. */
    readonly quickCheck: readonly string[] | null;
  } | null;
};

const busyTimeoutMs = 2_000;
const mostFaults = 10;

/** @throws AgentError store.corrupt, store.unavailable */
export function examineLibsql(url: string, largestBytes: number): FileExamination {
  const path = pathOfUrl(url);
  const bytes = sizeOf(path);
  if (bytes === undefined) return { path, file: null };
  const hasLog = sizeOf(`${path}-wal`) !== undefined;
  const name = hasLog ? readOnlyName(path) : unchangingName(path);
  const connection = new LibsqlConnection(name, busyTimeoutMs);
  try {
    const version = Number(connection.value("PRAGMA user_version"));
    const quickCheck = bytes > largestBytes ? null : faultsIn(connection);
    return { path, file: { bytes, version, latest: latestVersion(storeMigrations), quickCheck } };
  } finally {
    connection.close();
  }
}

function faultsIn(connection: LibsqlConnection): string[] {
  const said = connection.rows(`PRAGMA quick_check(${mostFaults})`).map(([line]) => String(line));
  return said.filter((line) => line !== "ok");
}
