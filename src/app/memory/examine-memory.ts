import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listMemory } from "../../adapters/memory-files/list-memory.ts";
import { type FoundFile, lookAtFile } from "../../adapters/memory-index/index-place.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
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

/** Each file and each directory takes one watch of those that all programs of a user share; null: nothing is to be watched. */
export async function examineWatches(
  home: string,
): Promise<{ readonly needed: number; readonly limit: number } | null> {
  const root = join(home, "memory");
  if (!existsSync(root) || !existsSync(watchLimit)) return null;
  const { files } = await listMemory(root);
  const directories = new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf("/"))));
  const limit = Number(readFileSync(watchLimit, "utf8"));
  return { needed: files.length + directories.size, limit };
}
