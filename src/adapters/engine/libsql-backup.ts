import { link, open, rename, rm } from "node:fs/promises";
import { errnoOf } from "../../schema/errno.ts";
import { AgentError } from "../../schema/errors.ts";
import { copyAside, hasIndex, hasLog } from "./copy-aside.ts";
import { LibsqlConnection, LibsqlSideConnection } from "../libsql/libsql-connection.ts";
import { pathOfUrl, readOnlyName, sizeOf, unchangingName } from "../libsql/libsql-file.ts";

export type BackupReport = { readonly bytes: number; readonly rows: number };

/** Writes a consistent copy of a database to a new file that only its owner can read; the writer may go on meanwhile. The file
 *  has its name only when it is whole and lasting.
 *  @throws AgentError `file.not_found`, `file.refused` (the target is there already), `store.unavailable`, `store.corrupt` */
export async function backup(url: string, toFile: string): Promise<BackupReport> {
  const path = pathOfUrl(url);
  if (sizeOf(path) === undefined) {
    throw new AgentError("file.not_found", `there is no database ${path}`);
  }
  if (sizeOf(toFile) !== undefined) throw refused(toFile, "it is there already");
  const unfinished = `${toFile}.unfinished-${process.pid}`;
  const source = sourceOf(path);
  const connection = new LibsqlSideConnection(source.name, 5000);
  try {
    await copyInto(unfinished, (sql) => connection.exec(sql, `copy ${path}`));
    const report = { bytes: sizeOf(unfinished) ?? 0, rows: countRows(unfinished) };
    await takeName(unfinished, toFile);
    return report;
  } finally {
    connection.close();
    source.leave();
    await rm(unfinished, { force: true });
  }
}

type Source = { readonly name: string; leave(): void };

const leave = () => {};

/** A file with an index may be in use: it is read through it. */
function sourceOf(path: string): Source {
  if (hasIndex(path)) return { name: readOnlyName(path), leave };
  if (!hasLog(path)) return { name: unchangingName(path), leave };
  const copy = copyAside(path);
  return { name: readOnlyName(copy.path), leave: copy.remove };
}

/** @param run executes SQL on a connection to the database that is copied */
export async function copyInto(file: string, run: (sql: string) => Promise<void>): Promise<void> {
  await reserve(file);
  try {
    await run(`VACUUM INTO '${file.replaceAll("'", "''")}'`);
    await makeLasting(file);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

function countRows(file: string): number {
  const connection = new LibsqlConnection(unchangingName(file), 0);
  try {
    const names = connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'");
    const counts = names.map(([name]) => connection.value(`SELECT count(*) FROM "${name}"`));
    return counts.reduce<number>((sum, count) => sum + Number(count), 0);
  } finally {
    connection.close();
  }
}

/** Never over a file that came meanwhile; not every file system has links. */
async function takeName(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw refused(to, "it is there already");
    if (sizeOf(to) !== undefined) throw refused(to, String(error));
    await rename(from, to);
  }
}

async function reserve(file: string): Promise<void> {
  try {
    const handle = await open(file, "wx", 0o600);
    await handle.close();
  } catch (error) {
    throw refused(file, String(error), error);
  }
}

function refused(file: string, why: string, cause?: unknown): AgentError {
  return new AgentError("file.refused", `the copy ${file} cannot be made: ${why}`, {
    hint: "name a file that does not exist, in a directory that does",
    cause,
  });
}

async function makeLasting(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
