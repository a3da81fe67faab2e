import { createSystemClock } from "../../src/adapters/clock/system-clock.ts";
import { silentLog } from "../../src/adapters/log/json-log.ts";
import { openMemoryIndex } from "../../src/adapters/memory-index/open-memory-index.ts";
import type { MemorySettings } from "../../src/memory/settings.ts";
import type { Embedder } from "../../src/ports/embedder.ts";
import type { MemoryIndex } from "../../src/ports/memory-index.ts";
import type { MemoryDocument } from "../../src/schema/memory.ts";

export type IndexToFill = {
  readonly settings: MemorySettings;
  readonly embedder: Embedder | null;
  /** Absent: it is forgotten at the end. */
  readonly file?: string;
};

/** An index that holds the documents, each with its vectors. */
export async function filledIndex(
  { settings, embedder, file = ":memory:" }: IndexToFill,
  documents: Iterable<MemoryDocument>,
): Promise<MemoryIndex> {
  const clock = createSystemClock();
  const index = await openMemoryIndex({ file, settings, embedder, clock, log: silentLog });
  for (const document of documents) await index.put(document);
  await allEmbedded(index);
  return index;
}

/** Looks ever more seldom: looking counts all vectors. */
async function allEmbedded(index: MemoryIndex): Promise<void> {
  for (let waitMs = 2; ; waitMs = Math.min(1_000, waitMs * 2)) {
    const { chunks, embedded, embedder, trouble } = await index.stats();
    if (embedder === null || embedded >= chunks) return;
    if (trouble !== null) throw new Error(`vectors are missing: ${trouble}`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Asks for each text once, however many indexes are filled. */
export function withKeptVectors(embedder: Embedder): Embedder {
  const kept = new Map<string, Float32Array>();
  return {
    ...embedder,
    async embed(inputs, options) {
      const keys = inputs.map((input) => JSON.stringify([options.for, input]));
      const missing = [...new Set(keys)].filter((key) => !kept.has(key));
      const wanted = missing.flatMap((key) => inputs[keys.indexOf(key)] ?? []);
      const made = await embedder.embed(wanted, options);
      for (const [at, vector] of made.entries()) kept.set(missing[at] ?? "", vector);
      return keys.flatMap((key) => kept.get(key) ?? []);
    },
  };
}
