import type { MemorySettings } from "../../memory/settings.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { AgentError } from "../../schema/errors.ts";
import { LibsqlSideConnection } from "../libsql/libsql-connection.ts";
import { isDamage } from "./index-errors.ts";
import { deleteDatabase, inMemory, lookAtFile, makePrivateFile, putAside } from "./index-place.ts";
import { applicationId, layoutVersion, tables, viewOfWords, wordIndex } from "./index-schema.ts";

export type IndexPlace = {
  readonly file: string;
  readonly settings: Pick<MemorySettings, "context_chunks">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
};

export type IndexConnections = {
  readonly writer: LibsqlSideConnection;
  /** The writer itself where the index is in memory. */
  readonly reader: LibsqlSideConnection;
};

const busyTimeoutMs = 5_000;

/** Opens the index, and makes it where there is none. What is no index of ours, or of another version, or damaged makes way: all that
 *  belongs into it can be made again. */
export async function connectToIndex(place: IndexPlace): Promise<IndexConnections> {
  if (place.file === inMemory) {
    const only = new LibsqlSideConnection(inMemory, busyTimeoutMs);
    await makeTables(only, place);
    return { writer: only, reader: only };
  }
  makeWay(place);
  try {
    return await openFile(place);
  } catch (error) {
    if (!isDamage(error)) throw error;
    place.log("warn", "the index of memory is damaged and is begun anew", { file: place.file });
    deleteDatabase(place.file);
    return openFile(place);
  }
}

function makeWay({ file, clock, log }: IndexPlace): void {
  const found = lookAtFile(file).is;
  if (found === "foreign") {
    const aside = putAside(file, clock.now());
    log("warn", "what stood in the place of memory's index is no index and was put aside", {
      aside,
    });
  } else if (found === "outdated") {
    log("info", "the index of memory is of another version and is begun anew", { file });
    deleteDatabase(file);
  } else if (found === "none") {
    /** A log without its file would be taken for the new file's. */
    deleteDatabase(file);
  }
}

async function openFile(place: IndexPlace): Promise<IndexConnections> {
  makePrivateFile(place.file);
  const writer = new LibsqlSideConnection(place.file, busyTimeoutMs);
  try {
    await prepare(writer, place);
    const reader = new LibsqlSideConnection(place.file, busyTimeoutMs);
    await reader.exec("PRAGMA query_only = ON");
    return { writer, reader };
  } catch (error) {
    writer.close();
    throw error;
  }
}

async function prepare(writer: LibsqlSideConnection, place: IndexPlace): Promise<void> {
  const [[version] = []] = await writer.rows("PRAGMA user_version");
  if (version === 0) await makeTables(writer, place);
  else await checkPages(writer);
  await writer.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
  await writer.exec("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
  await followSettings(writer, place);
}

/** In one transaction, so that a file with our mark has all of it. */
async function makeTables(writer: LibsqlSideConnection, { settings }: IndexPlace): Promise<void> {
  await writer.exec("PRAGMA secure_delete = ON");
  await writer.exec(
    `BEGIN IMMEDIATE; ${tables} ${viewOfWords(settings.context_chunks)}; ${wordIndex};
     PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${layoutVersion}; COMMIT`,
  );
}

async function checkPages(writer: LibsqlSideConnection): Promise<void> {
  for (const table of ["document", "chunk", "vector"]) {
    const [[answer] = []] = await writer.rows(`PRAGMA quick_check('${table}')`);
    if (answer !== "ok") throw new AgentError("store.corrupt", `${table}: ${String(answer)}`);
  }
}

/** Where more or fewer neighbours count than when it was made, all words are looked up anew. */
async function followSettings(writer: LibsqlSideConnection, place: IndexPlace): Promise<void> {
  const wanted = viewOfWords(place.settings.context_chunks).trim();
  const [[present] = []] = await writer.rows(
    "SELECT sql FROM sqlite_schema WHERE name = 'chunk_words'",
  );
  if (present === wanted) return;
  place.log("info", "another number of neighbours is set: the words of memory are indexed anew");
  await writer.exec(
    `BEGIN IMMEDIATE; DROP VIEW chunk_words; ${wanted};
     INSERT INTO chunk_fts(chunk_fts) VALUES('rebuild'); COMMIT`,
  );
}
