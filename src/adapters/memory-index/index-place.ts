import { closeSync, mkdirSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { AgentError } from "../../schema/errors.ts";
import { ensurePrivateFile } from "../libsql/libsql-file.ts";
import { applicationId, layoutVersion } from "./index-schema.ts";

/** The index as a file on a disk, before it is opened. */

export const inMemory = ":memory:";

export type FoundFile =
  | { readonly is: "none" }
  | { readonly is: "index" }
  /** Of another version of statehive. */
  | { readonly is: "outdated" }
  | { readonly is: "foreign" };

/** Looks at the header alone: https://www.sqlite.org/fileformat2.html#the_database_header */
export function lookAtFile(path: string): FoundFile {
  const header = firstBytes(path, 100);
  if (header === null || header.length === 0) return { is: "none" };
  const isDatabase = header.subarray(0, 16).toString("latin1") === "SQLite format 3\0";
  if (!isDatabase || header.length < 100) return { is: "foreign" };
  if (header.readUInt32BE(68) !== applicationId) return { is: "foreign" };
  return { is: header.readUInt32BE(60) === layoutVersion ? "index" : "outdated" };
}

function firstBytes(path: string, count: number): Buffer | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw unusable(path, error);
  }
  try {
    const bytes = Buffer.alloc(count);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, count, 0));
  } catch (error) {
    throw unusable(path, error);
  } finally {
    closeSync(descriptor);
  }
}

export function makeDirectoryOf(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(dirname(path), error);
  }
}

export function makePrivateFile(path: string): void {
  makeDirectoryOf(path);
  try {
    ensurePrivateFile(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

const partsOf = (path: string) => ["", "-wal", "-shm", "-journal"].map((ending) => path + ending);

export function deleteDatabase(path: string): void {
  if (path === inMemory) return;
  for (const part of partsOf(path)) rmSync(part, { force: true });
}

/** @returns where it is now */
export function putAside(path: string, now: number): string {
  const aside = `${path}.aside-${now}`;
  const [from = path, ...beside] = partsOf(path);
  renameSync(from, aside);
  for (const part of beside) rmSync(part, { force: true });
  return aside;
}

/** What stands there may be somebody's: it is left as it is. */
export function unusable(path: string, error: unknown): AgentError {
  const cause = error instanceof AgentError && error.cause !== undefined ? error.cause : error;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AgentError("index.unavailable", `the index of memory cannot be at ${path}: ${why}`, {
    retryable: true,
    hint: `move away what stands at ${path}, or make it readable and writable; the index itself is made anew`,
    cause,
  });
}
