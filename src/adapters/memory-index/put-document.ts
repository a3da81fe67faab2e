import { createHash } from "node:crypto";
import type { MemoryChunk, MemoryDocument } from "../../schema/memory.ts";
import { ShortTurn } from "../turns/short-turn.ts";
import { addWords, deleteChunks, insertChunks, removeWords, updateChunks } from "./chunk-rows.ts";
import { compareChunks, type NewChunk, type StoredChunk } from "./compare-chunks.ts";
import type { Rows } from "./index-file.ts";

/** Documents as the index keeps them: each replaced whole, within one transaction of the caller's. */

type Head = Omit<MemoryDocument, "chunks">;

/** In short turns: a large file has tens of thousands of chunks. */
export async function hashChunks(chunks: readonly MemoryChunk[]): Promise<NewChunk[]> {
  const turn = new ShortTurn();
  const hashed: NewChunk[] = [];
  for (const chunk of chunks) {
    hashed.push({ chunk, hash: createHash("sha256").update(chunk.text).digest("base64url") });
    await turn.giveWay();
  }
  return hashed;
}

export type PutContext = {
  readonly rows: Rows;
  readonly contextChunks: number;
  /** Gives an id that no chunk ever had. */
  readonly nextId: () => number;
};

/** @returns how many texts came and went */
export async function putDocument(
  document: Head,
  chunks: readonly NewChunk[],
  context: PutContext,
): Promise<{ readonly added: number; readonly removed: number }> {
  const { rows } = context;
  const part = await partOf(document, rows);
  const known = await storedDocument(document.path, rows);
  const id = known?.id ?? (await insertDocument(document, part, rows));
  const stored = known === null ? [] : await storedChunks(id, rows);
  const { added, kept, removed, reworded } = compareChunks(stored, chunks, context);
  const isMoved = known !== null && known.part !== part;
  const changed = isMoved ? kept.map((each) => each.id) : reworded;

  await removeWords([...removed, ...changed], rows);
  await rows("UPDATE document SET part = ?, version = ? WHERE id = ?", part, document.version, id);
  if (isMoved) await moveVectors({ document: id, part }, rows);
  await insertChunks(id, added, rows);
  await updateChunks(kept, rows);
  await deleteChunks(removed, rows);
  await addWords([...added.map((each) => each.id), ...changed], rows);
  if (isMoved) await dropEmptyParts(rows);
  return { added: added.length, removed: removed.length };
}

/** @returns how many texts went */
export async function removeDocuments(paths: readonly string[], rows: Rows): Promise<number> {
  const ids: number[] = [];
  for (const path of paths) {
    const known = await storedDocument(path, rows);
    if (known === null) continue;
    for (const { id } of await storedChunks(known.id, rows)) ids.push(id);
  }
  await removeWords(ids, rows);
  await deleteChunks(ids, rows);
  await rows(
    "DELETE FROM document WHERE path IN (SELECT value FROM json_each(?))",
    JSON.stringify(paths),
  );
  await dropEmptyParts(rows);
  return ids.length;
}

async function partOf({ partition, kind }: Head, rows: Rows): Promise<number> {
  await rows("INSERT OR IGNORE INTO part(key, kind) VALUES(?, ?)", partition, kind);
  const [[id] = []] = await rows("SELECT id FROM part WHERE key = ? AND kind = ?", partition, kind);
  return Number(id);
}

async function storedDocument(
  path: string,
  rows: Rows,
): Promise<{ readonly id: number; readonly part: number } | null> {
  const [row] = await rows("SELECT id, part FROM document WHERE path = ?", path);
  return row === undefined ? null : { id: Number(row[0]), part: Number(row[1]) };
}

async function insertDocument({ path, version }: Head, part: number, rows: Rows): Promise<number> {
  await rows("INSERT INTO document(part, path, version) VALUES(?, ?, ?)", part, path, version);
  const [[id] = []] = await rows("SELECT id FROM document WHERE path = ?", path);
  return Number(id);
}

const chunksAtOnce = 2_000;

async function storedChunks(document: number, rows: Rows): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = [];
  let found: Awaited<ReturnType<Rows>>;
  do {
    found = await rows(
      "SELECT id, hash, heading FROM chunk WHERE document = ? AND place >= ? ORDER BY place LIMIT ?",
      document,
      chunks.length,
      chunksAtOnce,
    );
    for (const [id, hash, heading] of found) {
      chunks.push({ id: Number(id), hash: String(hash), heading: String(heading) });
    }
  } while (found.length === chunksAtOnce);
  return chunks;
}

async function moveVectors(
  { document, part }: { readonly document: number; readonly part: number },
  rows: Rows,
): Promise<void> {
  await rows(
    "UPDATE vector SET part = ? WHERE chunk IN (SELECT id FROM chunk WHERE document = ?)",
    part,
    document,
  );
}

async function dropEmptyParts(rows: Rows): Promise<void> {
  await rows("DELETE FROM part WHERE NOT EXISTS (SELECT 1 FROM document WHERE part = part.id)");
}
