import { linkSync, renameSync, rmSync } from "node:fs";
import { AgentError } from "../../schema/errors.ts";
import { LibsqlConnection } from "../libsql/libsql-connection.ts";
import { ensurePrivateFile, pathOfUrl, sizeOf } from "../libsql/libsql-file.ts";

/** Putting another database in the place of the present one. The caller holds the owner lock. */

/** SQLite's own check of every page and index, and that the file is not one in which nothing was ever written.
 *  @throws AgentError store.corrupt */
export function checkPages(path: string): void {
  const connection = new LibsqlConnection(path, 5000);
  try {
    const found = connection.value("PRAGMA quick_check");
    if (found !== "ok") throw new AgentError("store.corrupt", `it is damaged: ${String(found)}`);
    if (connection.value("PRAGMA user_version") === 0)
      throw new AgentError("store.corrupt", "it holds no database of statehive's");
  } finally {
    connection.close();
  }
}

export type Swap = {
  readonly url: string;
  /** Whole and closed; it is moved. */
  readonly fresh: string;
  /** Where the present database is kept. */
  readonly aside: string;
};

/** @returns whether there was a database before; it is kept with what its log still holds */
export function swapDatabase({ url, fresh, aside }: Swap): boolean {
  const path = pathOfUrl(url);
  removeBeside(fresh);
  const isThere = sizeOf(path) !== undefined;
  if (isThere) {
    foldInLog(path);
    for (const part of ["-wal", "-shm"]) {
      if (sizeOf(`${path}${part}`) !== undefined) renameSync(`${path}${part}`, `${aside}${part}`);
    }
    linkSync(path, aside);
  } else ensurePrivateFile(path);
  renameSync(fresh, path);
  return isThere;
}

/** Log and index of a closed database are empty; beside another one they would be taken for its own. */
function removeBeside(path: string): void {
  for (const part of ["-wal", "-shm"]) rmSync(`${path}${part}`, { force: true });
}

/** So that the file alone is whole; one that is too damaged for it keeps its log beside it. */
function foldInLog(path: string): void {
  try {
    const connection = new LibsqlConnection(path, 5000);
    connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    connection.close();
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
  }
}
