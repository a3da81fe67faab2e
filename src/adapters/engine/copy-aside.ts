import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeError } from "../libsql/libsql-errors.ts";
import { sizeOf } from "../libsql/libsql-file.ts";

/** Commits may stand in the log of a database alone. Where the log has no index, SQLite would have to make one beside the file to
 *  read them, so both are copied to a place of our own. */

export type CopyAside = { readonly path: string; remove(): void };

export function hasLog(path: string): boolean {
  return (sizeOf(`${path}-wal`) ?? 0) > 0;
}

export function hasIndex(path: string): boolean {
  return sizeOf(`${path}-shm`) !== undefined;
}

/** @throws AgentError store.unavailable */
export function copyAside(path: string): CopyAside {
  const directory = mkdtempSync(join(tmpdir(), "statehive-read-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    const copy = join(directory, "copy.db");
    for (const part of ["", "-wal"]) copyFileSync(`${path}${part}`, `${copy}${part}`);
    return { path: copy, remove };
  } catch (error) {
    remove();
    throw storeError(`read ${path}`, error);
  }
}
