import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { createSystemClock } from "../adapters/clock/system-clock.ts";
import { OneAtATime } from "../adapters/turns/one-at-a-time.ts";
import type { MemoryIndexOptions } from "../adapters/memory-index/index-options.ts";
import { openMemoryIndex } from "../adapters/memory-index/open-memory-index.ts";
import { memorySettings } from "../memory/settings.ts";
import type { Clock } from "../ports/clock.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { Log } from "../ports/log.ts";
import type { IndexStats } from "../ports/memory-index.ts";
import type { MainConfig } from "../schema/config/config.ts";
import { memorySection } from "../schema/config/config-main.ts";
import { AgentError } from "../schema/errors.ts";
import { isWellFormed } from "../schema/text/well-formed.ts";
import { type IndexedText, TextCollection, type TextHit } from "./text-collection.ts";

export type CreateMemoryIndexOptions = {
  /** `file:PATH`, or `:memory:`, which forgets all when it is closed. */
  readonly url: string;
  /** Null or left out: words alone. It is not closed with the index. */
  readonly embedder?: Embedder | null;
  /** As `memory` of config/main.yaml: `{ preset: "classic" }`, `{ vector_weight: 0.5 }`. */
  readonly settings?: Partial<MainConfig["memory"]>;
  readonly clock?: Clock;
  readonly log?: Log;
};

export type TextSearch = {
  /** `max_results` of the settings where it is left out. */
  readonly limit?: number;
  /** All of them where it is left out. */
  readonly partition?: string;
  readonly signal?: AbortSignal;
};

export type TextIndex = {
  /** Resolves once all of them are found by their words; their vectors follow (`stats`). Many at once are faster than one by one. */
  add(texts: readonly IndexedText[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Best first; scores are from 0 to 1, and comparable within one search. */
  search(query: string, options?: TextSearch): Promise<readonly TextHit[]>;
  stats(): Promise<IndexStats>;
  close(): Promise<void>;
};

const texts = z.array(
  z.strictObject({
    id: z.string().min(1).refine(isWellFormed, { error: "has half a character in it" }),
    text: z.string(),
    partition: z.string().min(1).optional(),
    source: z.string().min(1).optional(),
    heading: z.string().optional(),
  }),
);

/** An index of texts as the service has one of its memory: the same words, vectors and fusion. The file is opened by the first call, and
 *  nobody else may have it open then.
 *  @throws AgentError `config.invalid`: the url, a setting; later `index.unavailable`, `index.closed` */
export function createMemoryIndex(options: CreateMemoryIndexOptions): TextIndex {
  const file = fileOfUrl(options.url);
  const settings = memorySettings(settingsOf(options));
  const turns = new OneAtATime();
  let isClosed = false;
  let opening: Promise<TextCollection> | null = null;

  const open = async (): Promise<TextCollection> => {
    if (isClosed) throw new AgentError("index.closed", "the index is closed");
    opening ??= openCollection({
      file,
      settings,
      embedder: options.embedder ?? null,
      clock: options.clock ?? createSystemClock(),
      log: options.log ?? (() => {}),
    }).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };

  return {
    add: (given) => turns.run(async () => (await open()).add(checkedTexts(given))),
    remove: (given) => turns.run(async () => (await open()).remove(checkedIds(given))),
    search: async (query, { limit = settings.max_results, partition, signal } = {}) =>
      (await open()).search({
        text: checkedQuery(query),
        limit,
        ...(partition === undefined ? {} : { partition }),
        ...(signal === undefined ? {} : { signal }),
      }),
    stats: async () => (await open()).index.stats(),
    close: () => {
      isClosed = true;
      return turns.run(async () => (await opening?.catch(() => null))?.index.close());
    },
  };
}

async function openCollection(options: MemoryIndexOptions): Promise<TextCollection> {
  const index = await openMemoryIndex(options);
  try {
    return await TextCollection.load(index);
  } catch (error) {
    await index.close();
    throw error;
  }
}

function checkedTexts(given: readonly IndexedText[]): readonly IndexedText[] {
  const found = texts.safeParse(given);
  if (found.success) return given;
  throw new AgentError("config.invalid", `texts for the index: ${z.prettifyError(found.error)}`);
}

function checkedIds(given: unknown): readonly string[] {
  const found = z.array(z.string()).safeParse(given);
  if (found.success) return found.data;
  throw new AgentError("config.invalid", `ids to remove: ${z.prettifyError(found.error)}`);
}

function checkedQuery(query: string): string {
  if (typeof query === "string") return query;
  throw new AgentError("config.invalid", "what is searched for must be a text");
}

function settingsOf({ settings = {} }: CreateMemoryIndexOptions): MainConfig["memory"] {
  const found = memorySection.safeParse(settings);
  if (found.success) return found.data;
  throw new AgentError("config.invalid", `settings of the index: ${z.prettifyError(found.error)}`);
}

function fileOfUrl(url: unknown): string {
  if (url === ":memory:" || url === "file::memory:") return ":memory:";
  try {
    const path = pathOfUrl(String(url));
    if (path !== undefined) return path;
  } catch {
    // It has an escape that is none, or another machine's name.
  }
  throw new AgentError("config.invalid", `${String(url)} is no place for an index`, {
    hint: "write file:PATH, such as file:notes.db, or :memory:",
  });
}

function pathOfUrl(url: string): string | undefined {
  if (url.startsWith("file://")) return fileURLToPath(url);
  const path = /^file:([^?#\0]+)$/.exec(url)?.[1];
  return path === undefined ? undefined : resolve(decodeURIComponent(path));
}
