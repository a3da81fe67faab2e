import type { Rows } from "./index-file.ts";
import type { WaitingRange } from "./waiting-ranges.ts";

/** The vectors of chunks, by the name of the model that made them. */

export type WaitingChunk = { readonly id: number; readonly text: string };

/** The last chunks in a stretch of ids that have no vector of that model. */
export async function chunksWithoutVector(
  {
    after,
    before,
    model,
    limit,
  }: WaitingRange & { readonly model: string; readonly limit: number },
  rows: Rows,
): Promise<WaitingChunk[]> {
  /** The plus has the rows sorted, so that looking for them is done on the driver's thread. */
  const found = await rows(
    `WITH waiting AS MATERIALIZED (
       SELECT chunk.id, chunk.text FROM chunk JOIN document ON document.id = chunk.document
       WHERE chunk.id > ? AND chunk.id < ? AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.part = document.part AND vector.chunk = chunk.id
         AND vector.model = (SELECT id FROM model WHERE name = ?))
       ORDER BY chunk.id DESC LIMIT ?)
     SELECT id, text FROM waiting ORDER BY +id DESC`,
    after,
    before,
    model,
    limit,
  );
  return found.map(([id, text]) => ({ id: Number(id), text: String(text) }));
}

/** A chunk that went in the meantime gets none. */
export async function storeVectors(
  model: string,
  vectors: readonly { readonly id: number; readonly vector: Float32Array }[],
  rows: Rows,
): Promise<void> {
  await rows("INSERT OR IGNORE INTO model(name) VALUES(?)", model);
  await rows(
    `INSERT OR REPLACE INTO vector(part, model, chunk, value)
     SELECT document.part, model.id, chunk.id, vector8(item.value->>1) FROM json_each(?) AS item
     JOIN chunk ON chunk.id = item.value->>0 JOIN document ON document.id = chunk.document JOIN model ON model.name = ?`,
    JSON.stringify(vectors.map(({ id, vector }) => [id, vectorText(vector)])),
    model,
  );
}

/** As libSQL reads it. It keeps eight bits of each number. */
export function vectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => Math.round(value * 100_000) / 100_000).join(",")}]`;
}

export async function dropOtherModels(model: string, rows: Rows): Promise<boolean> {
  const others = await rows("SELECT id FROM model WHERE name <> ?", model);
  if (others.length === 0) return false;
  await rows("DELETE FROM vector WHERE model IN (SELECT id FROM model WHERE name <> ?)", model);
  await rows("DELETE FROM model WHERE name <> ?", model);
  return true;
}
