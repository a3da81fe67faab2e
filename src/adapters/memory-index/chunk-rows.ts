import { wordsOfHeading, wordsOfText } from "../../memory/search/words.ts";
import type { PlacedChunk } from "./compare-chunks.ts";
import type { Rows } from "./index-file.ts";
import { jsonText } from "./json-text.ts";

/** The rows of chunks. Only statements that the driver runs on its own thread; what belongs to many rows goes in as one JSON text. */

const rowsAtOnce = 500;

async function inParts<Item>(
  items: readonly Item[],
  work: (some: readonly Item[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += rowsAtOnce) {
    await work(items.slice(from, from + rowsAtOnce));
  }
}

/** The same text may have been somewhere else already, in this file or in the one that was renamed: it keeps its vector. */
export function insertChunks(
  document: number,
  chunks: readonly PlacedChunk[],
  rows: Rows,
): Promise<void> {
  return inParts(chunks, async (some) => {
    const values = some.map(({ id, place, hash, chunk }) => [
      id,
      place,
      hash,
      chunk.heading,
      chunk.text,
      chunk.line_start,
      chunk.line_end,
      jsonText(chunk.origins),
      ifOther(wordsOfHeading(chunk.heading), chunk.heading),
      ifOther(wordsOfText(chunk.text), chunk.text),
    ]);
    await rows(
      `INSERT INTO chunk(document, id, place, hash, heading, text, line_start, line_end, origins, heading_words, text_words)
       SELECT ?, value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8, value->>9
       FROM json_each(?)`,
      document,
      jsonText(values),
    );
    await rows(
      `INSERT OR IGNORE INTO vector(part, model, chunk, value)
       SELECT document.part, vector.model, chunk.id, vector.value FROM json_each(?) AS item
       JOIN chunk ON chunk.id = item.value JOIN document ON document.id = chunk.document
       JOIN vector ON vector.chunk = (SELECT min(twin.id) FROM chunk AS twin WHERE twin.hash = chunk.hash)`,
      jsonText(some.map(({ id }) => id)),
    );
  });
}

const ifOther = (words: string, text: string) => (words === text ? null : words);

/** Where an unchanged text stands now. */
export function updateChunks(chunks: readonly PlacedChunk[], rows: Rows): Promise<void> {
  return inParts(chunks, (some) =>
    rows(
      `UPDATE chunk SET place = now.value->>1, heading = now.value->>2, line_start = now.value->>3, line_end = now.value->>4,
         origins = now.value->>5, heading_words = now.value->>6
       FROM json_each(?) AS now WHERE chunk.id = now.value->>0`,
      jsonText(
        some.map(({ id, place, chunk }) => [
          id,
          place,
          chunk.heading,
          chunk.line_start,
          chunk.line_end,
          jsonText(chunk.origins),
          ifOther(wordsOfHeading(chunk.heading), chunk.heading),
        ]),
      ),
    ),
  );
}

export function deleteChunks(ids: readonly number[], rows: Rows): Promise<void> {
  return inParts(ids, async (some) => {
    const list = jsonText(some);
    await rows("DELETE FROM vector WHERE chunk IN (SELECT value FROM json_each(?))", list);
    await rows("DELETE FROM chunk WHERE id IN (SELECT value FROM json_each(?))", list);
  });
}

export function addWords(ids: readonly number[], rows: Rows): Promise<void> {
  return inParts(ids, (some) =>
    rows(
      `INSERT INTO chunk_fts(rowid, part, own, ctx, head)
       SELECT id, part, own, ctx, head FROM chunk_words WHERE id IN (SELECT value FROM json_each(?))`,
      jsonText(some),
    ),
  );
}

/** Taking the words of one chunk out of their lists costs about as much as writing two hundred chunks into new lists. */
const optimizeFrom = 1 / 200;

/** Leaves nothing of them: each is taken out by itself (FTS5's secure-delete), or all lists are written anew without them. The chunks
 *  and their neighbours must still be as they were. */
export async function removeWords(ids: readonly number[], rows: Rows): Promise<void> {
  if (ids.length === 0) return;
  const [[total] = []] = await rows("SELECT count(*) FROM chunk");
  const isMany = ids.length > Number(total) * optimizeFrom;
  if (isMany) await rows("INSERT INTO chunk_fts(chunk_fts, rank) VALUES('secure-delete', 0)");
  await inParts(ids, (some) =>
    rows("DELETE FROM chunk_fts WHERE rowid IN (SELECT value FROM json_each(?))", jsonText(some)),
  );
  if (!isMany) return;
  await rows("INSERT INTO chunk_fts(chunk_fts) VALUES('optimize')");
  await rows("INSERT INTO chunk_fts(chunk_fts, rank) VALUES('secure-delete', 1)");
}
