import { open, rm } from "node:fs/promises";
import { AgentError } from "../../schema/errors.ts";
import { LibsqlSideConnection } from "./libsql-connection.ts";
import { pathOfUrl, readOnlyName, sizeOf } from "./libsql-file.ts";

/** Writes a consistent copy of a database to a new file that only its owner can read; the writer may go on meanwhile.
 *  @throws AgentError `file.not_found`, `file.refused` (the target is there already), `store.unavailable`, `store.corrupt` */
export async function backup(url: string, toFile: string): Promise<void> {
  const path = pathOfUrl(url);
  if (sizeOf(path) === undefined) {
    throw new AgentError("file.not_found", `there is no database ${path}`);
  }
  const connection = new LibsqlSideConnection(readOnlyName(path), 5000);
  try {
    await copyInto(toFile, (sql) => connection.exec(sql));
  } finally {
    connection.close();
  }
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

async function reserve(file: string): Promise<void> {
  try {
    const handle = await open(file, "wx", 0o600);
    await handle.close();
  } catch (error) {
    throw new AgentError("file.refused", `the copy ${file} cannot be made: ${String(error)}`, {
      hint: "name a file that does not exist, in a directory that does",
      cause: error,
    });
  }
}

async function makeLasting(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
