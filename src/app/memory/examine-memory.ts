import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listMemory } from "../../adapters/memory-files/list-memory.ts";
import { type FoundFile, lookAtFile } from "../../adapters/memory-index/index-place.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import { errnoOf } from "../../schema/errno.ts";
import { AgentError, type ErrorData, toErrorData } from "../../schema/errors.ts";
import { openEmbedder } from "./open-embedder.ts";

/** What doctor wants to know of memory; looked at beside a service that runs, and nothing is changed. */

export type ExaminedIndex =
  | { readonly path: string; readonly is: FoundFile["is"] }
  | { readonly path: string; readonly error: ErrorData };

export function examineIndex(home: string): ExaminedIndex {
  const path = join(home, "data", "memory.db");
  try {
    return { path, is: lookAtFile(path).is };
  } catch (thrown) {
    return { path, error: toErrorData(thrown) };
  }
}

export type ExaminedEmbedder = {
  /** Null: there is none. */
  readonly id: string | null;
  /** Whether it made a vector, of which only `wantsAnswer` can tell. */
  readonly answers: boolean;
  /** Why there is none although one is configured, or why it made none. */
  readonly error: ErrorData | null;
};

export async function examineEmbedder(
  loaded: Pick<LoadedConfig, "config" | "secrets">,
  wantsAnswer: boolean,
): Promise<ExaminedEmbedder> {
  const { embedder, missing } = openEmbedder(loaded);
  if (embedder === null)
    return { id: null, answers: false, error: missing === null ? null : toErrorData(missing) };
  const { id } = embedder;
  if (!wantsAnswer) return { id, answers: false, error: null };
  const signal = AbortSignal.timeout(loaded.config.embeddings.timeout_ms);
  try {
    await embedder.embed([{ type: "text", text: "hello" }], { for: "query", signal });
    return { id, answers: true, error: null };
  } catch (thrown) {
    const late = new AgentError("embedder.unavailable", "it did not answer in time");
    return { id, answers: false, error: toErrorData(signal.aborted ? late : thrown) };
  } finally {
    await embedder.close();
  }
}

const watchLimit = "/proc/sys/fs/inotify/max_user_watches";

export type ExaminedFiles = {
  /** Each file and each directory takes one watch of those that all programs of a user share; null: this machine says no limit. */
  readonly watches: { readonly needed: number; readonly limit: number } | null;
  /** Files that this user may not read, and directories that it may not write; relative to the memory. */
  readonly closed: readonly string[];
};

/** Nothing is said of a memory that is closed as a whole. */
export async function examineFiles(home: string): Promise<ExaminedFiles> {
  const root = join(home, "memory");
  if (!existsSync(root) || !isOpen(root, mayUse)) return { watches: null, closed: [] };
  const { files, skipped } = await listMemory(root);
  const directories = directoriesOf(files);
  const closed = [
    ...skipped.map(({ path }) => path).filter((path) => !isOpen(join(root, path), mayRead)),
    ...directories.filter((path) => !isOpen(join(root, path), mayUse)),
    ...files.map(({ path }) => path).filter((path) => !isOpen(join(root, path), mayRead)),
  ];
  const needed = files.length + directories.length;
  const limit = existsSync(watchLimit) ? Number(readFileSync(watchLimit, "utf8")) : null;
  return { watches: limit === null ? null : { needed, limit }, closed };
}

const mayRead = constants.R_OK;
const mayUse = constants.R_OK | constants.W_OK | constants.X_OK;

function isOpen(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch (thrown) {
    return errnoOf(thrown) !== "EACCES";
  }
}

function directoriesOf(files: readonly { readonly path: string }[]): string[] {
  return [...new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf("/"))))];
}
