import type { MemoryIndex, MemoryQuery } from "../../ports/memory-index.ts";
import type { MemoryChunk, MemoryDocument, MemoryHit } from "../../schema/memory.ts";
import { indexClosed, indexError, isDamage, searchGivenUp } from "./index-errors.ts";
import { IndexFile, type Rows } from "./index-file.ts";
import type { MemoryIndexOptions } from "./index-options.ts";
import { chunksOfDocument, placesOfOrigins, type OriginPlace } from "./read-chunks.ts";
import { hashChunks, putDocument, removeDocuments } from "./put-document.ts";
import { searchIndex } from "./search-index.ts";
import { VectorMaker } from "./vector-maker.ts";

/** Opens the index of memory in its own file, and begins to make the vectors that are missing.
 *  @throws AgentError `index.unavailable` */
export async function openMemoryIndex(options: MemoryIndexOptions): Promise<LibsqlMemoryIndex> {
  try {
    const file = await IndexFile.open(options);
    const index = new LibsqlMemoryIndex(options, file, await lastIdIn(file));
    index.start();
    return index;
  } catch (error) {
    throw indexError(error);
  }
}

async function lastIdIn(file: IndexFile): Promise<number> {
  try {
    const [[last] = []] = await file.read((rows) => rows("SELECT max(id) FROM chunk"));
    return Number(last ?? 0);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Above this the log beside the file is moved into it. */
const longestLogBytes = 8_000_000;

export class LibsqlMemoryIndex implements MemoryIndex {
  private readonly options: MemoryIndexOptions;
  private readonly file: IndexFile;
  private readonly vectors: VectorMaker | null;
  private lastId: number;
  private owesSettling = false;
  private closing: Promise<void> | null = null;

  constructor(options: MemoryIndexOptions, file: IndexFile, lastId: number) {
    const { embedder, settings, clock, log } = options;
    const weight = settings.vector_weight;
    this.options = options;
    this.file = file;
    this.lastId = lastId;
    this.vectors =
      embedder === null ? null : new VectorMaker({ file, embedder, weight, clock, log });
  }

  start(): void {
    this.vectors?.wake(this.lastId);
  }

  documents(): ReturnType<MemoryIndex["documents"]> {
    return this.read(async (rows) => {
      const found = await rows(
        "SELECT path, version, kind FROM document JOIN part ON part.id = document.part ORDER BY path",
      );
      return found.map(([path, version, kind]) => ({
        path: String(path),
        version: String(version),
        kind: kind as MemoryDocument["kind"],
      }));
    });
  }

  /** What it has of one document, in reading order. */
  chunks(path: string): Promise<MemoryChunk[]> {
    return this.read((rows) => chunksOfDocument(path, rows));
  }

  /** Who is named in any chunk as its origin, and where. */
  origins(): Promise<OriginPlace[]> {
    return this.read(placesOfOrigins);
  }

  async put({ chunks, ...document }: MemoryDocument): Promise<void> {
    this.refuseIfClosed();
    const hashed = await hashChunks(chunks);
    const contextChunks = this.options.settings.context_chunks;
    const { removed, newest } = await this.write(async (rows) => {
      const nextId = () => ++this.lastId;
      const put = await putDocument(document, hashed, { rows, contextChunks, nextId });
      return { ...put, newest: this.lastId };
    });
    await this.settleAfter(removed);
    this.vectors?.wake(newest);
  }

  async remove(paths: readonly string[]): Promise<void> {
    const removed = await this.write((rows) => removeDocuments(paths, rows));
    if (await this.settleAfter(removed)) return;
    throw indexError("another process reads it; what was removed is still in the log beside it");
  }

  partitions(): Promise<readonly string[]> {
    return this.read(async (rows) => {
      const found = await rows("SELECT DISTINCT key FROM part ORDER BY key");
      return found.map(([key]) => String(key));
    });
  }

  async search(query: MemoryQuery): Promise<readonly MemoryHit[]> {
    this.refuseIfClosed();
    if (query.text.trim() === "" || query.limit < 1) return [];
    if (query.signal?.aborted === true) throw searchGivenUp();
    const meaning = (await this.vectors?.meaningOf(query)) ?? null;
    const { settings } = this.options;
    return this.read((rows) => searchIndex(query, { rows, settings, meaning }));
  }

  stats(): ReturnType<MemoryIndex["stats"]> {
    const { vectors, file, options } = this;
    return this.read(async (rows) => {
      const [counts = []] = await rows(
        `SELECT (SELECT count(*) FROM document), (SELECT count(*) FROM chunk),
           (SELECT count(*) FROM vector JOIN model ON model.id = vector.model WHERE model.name = ?)`,
        vectors?.model ?? "",
      );
      return {
        documents: Number(counts[0]),
        chunks: Number(counts[1]),
        embedded: Number(counts[2]),
        embedder: options.embedder?.id ?? null,
        trouble: vectors?.trouble ?? null,
        bytes: file.bytes,
      };
    });
  }

  async clear(): Promise<void> {
    this.refuseIfClosed();
    await this.guarded(() => this.file.restart());
    this.vectors?.wake();
  }

  close(): Promise<void> {
    this.closing ??= this.closeNow();
    return this.closing;
  }

  private async closeNow(): Promise<void> {
    await this.vectors?.close();
    await this.file.settle().catch(() => {});
    await this.file.close();
  }

  private read<Result>(work: (rows: Rows) => Promise<Result>): Promise<Result> {
    return this.guarded(() => this.file.read(work));
  }

  private write<Result>(work: (rows: Rows) => Promise<Result>): Promise<Result> {
    return this.guarded(() => this.file.write(work));
  }

  private async guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    this.refuseIfClosed();
    try {
      return await work();
    } catch (error) {
      if (isDamage(error)) await this.file.markDamaged().catch(() => {});
      throw indexError(error);
    }
  }

  private refuseIfClosed(): void {
    if (this.closing !== null) throw indexClosed();
  }

  /** What was taken out of the file may still stand in the log beside it.
   *  @returns whether it stands there no more */
  private async settleAfter(removed: number): Promise<boolean> {
    this.owesSettling ||= removed > 0;
    if (!this.owesSettling && this.file.logBytes < longestLogBytes) return true;
    const isSettled = await this.guarded(() => this.file.settle());
    if (isSettled) this.owesSettling = false;
    return isSettled;
  }
}
