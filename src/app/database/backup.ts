import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { backup } from "../../adapters/engine/libsql-backup.ts";
import { pathOfUrl } from "../../adapters/libsql/libsql-file.ts";
import { checkPages, swapDatabase } from "../../adapters/engine/libsql-restore.ts";
import { openLibsqlStore } from "../../adapters/engine/open-libsql.ts";
import { makeHomeDirectories } from "../../config/home.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import { AgentError } from "../../schema/errors.ts";
import type { Results } from "../../schema/socket/protocol.ts";
import { verifyAudit } from "../records/verify-audit.ts";
import { allTables } from "../hive-engine.ts";
import { isInUse, takeOwnership } from "./ownership.ts";

type EngineConfig = HiveConfig["engine"];

/** Copies the database to a new file, whether a service writes to it or not.
 *  @throws AgentError usage (the engine keeps no file here), file.not_found, file.refused, store.* */
export async function backUp(engine: EngineConfig, file: string): Promise<Results["backup"]> {
  return { file, ...(await backup(fileUrlOf(engine), file)) };
}

export type RestoreOptions = {
  readonly home: string;
  readonly engine: EngineConfig;
  /** The lock that a running service holds. */
  readonly lockPath: string;
  readonly from: string;
  readonly now: number;
};

export type Restored = {
  readonly file: string;
  /** Where the database that was there is kept; null when there was none. */
  readonly kept: string | null;
  readonly bytes: number;
  readonly rows: number;
  readonly audit_rows: number;
};

/** Puts a backup in the place of the database, once it is known to be whole, ours, not newer, and its audit chain unbroken.
 *  @throws AgentError service.running, usage, file.not_found, store.newer, store.corrupt, audit.broken */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { home, engine, from, now } = options;
  const url = fileUrlOf(engine);
  makeHomeDirectories(home, []);
  mkdirSync(dirname(options.lockPath), { recursive: true, mode: 0o700 });
  const lock = await takeOwnership(options.lockPath, engine).catch(inUse);
  const file = pathOfUrl(url);
  const directory = mkdtempSync(`${file}.restoring-`);
  const fresh = join(directory, "fresh.db");
  try {
    const report = await backup(pathToFileURL(from).href, fresh);
    const audit_rows = await checkWhole(fresh);
    const aside = `${file}.${new Date(now).toISOString().replaceAll(":", "-")}`;
    const wasThere = swapDatabase({ url, fresh, aside });
    return { file, kept: wasThere ? aside : null, ...report, audit_rows };
  } catch (error) {
    throw notRestored(from, error);
  } finally {
    rmSync(directory, { recursive: true, force: true });
    await lock.release();
  }
}

function notRestored(from: string, error: unknown): unknown {
  if (!(error instanceof AgentError) || error.code !== "store.corrupt") return error;
  return new AgentError(error.code, `${from} is not restored: ${error.message}`, {
    hint: "take another backup; nothing was changed",
    cause: error,
  });
}

/** Brings the copy up to date, too: what cannot be migrated is refused before anything is replaced. */
async function checkWhole(path: string): Promise<number> {
  checkPages(path);
  const url = pathToFileURL(path).href;
  const store = await openLibsqlStore({ url, tables: allTables, durability: "power" });
  try {
    const { ok, rows, fault } = await verifyAudit(store.committed);
    if (ok) return rows;
    throw new AgentError(
      "audit.broken",
      `The audit chain of the backup is broken at row ${fault?.n}: ${fault?.message}`,
      { hint: "take another backup; this one was changed after it was made" },
    );
  } finally {
    await store.close();
  }
}

function fileUrlOf({ type, url }: EngineConfig): string {
  if (type !== "memory" && url.startsWith("file:")) return url;
  const where = type === "memory" ? "in memory" : `at ${url}`;
  throw new AgentError("usage", `The database of this home is ${where}, not in a file.`, {
    hint: "copy it where it is kept; config/ and prompts/ are files of the home",
  });
}

function inUse(error: unknown): never {
  throw isInUse(error) ? serviceRuns(error) : error;
}

export function serviceRuns(cause?: unknown): AgentError {
  return new AgentError("service.running", "A service runs for this home.", {
    hint: "`statehive stop` stops it",
    cause,
  });
}
