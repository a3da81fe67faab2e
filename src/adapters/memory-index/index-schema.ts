/** The tables of the index. Why they are as they are: docs/decisions/0032-index-of-memory.md */

/** "shmx": tells the file from any other database. */
export const applicationId = 0x73_68_6d_78;

/** Another layout, other words or other weights take another number: the index is begun anew then. */
export const layoutVersion = 2;

/** In place of the version, where reading or writing found damage. */
export const damagedVersion = 0x7f_ff_ff_ff;

export const tables = `
CREATE TABLE part(id INTEGER PRIMARY KEY, key TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE(key, kind)) STRICT;
CREATE TABLE document(id INTEGER PRIMARY KEY, part INTEGER NOT NULL, path TEXT NOT NULL UNIQUE, version TEXT NOT NULL) STRICT;
CREATE INDEX document_part ON document(part);
CREATE TABLE chunk(
  id INTEGER PRIMARY KEY, document INTEGER NOT NULL, place INTEGER NOT NULL, hash TEXT NOT NULL,
  heading TEXT NOT NULL, text TEXT NOT NULL, line_start INTEGER NOT NULL, line_end INTEGER NOT NULL, origins TEXT NOT NULL,
  heading_words TEXT, text_words TEXT
) STRICT;
CREATE INDEX chunk_place ON chunk(document, place);
CREATE INDEX chunk_hash ON chunk(hash);
CREATE TABLE model(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE vector(part INTEGER NOT NULL, model INTEGER NOT NULL, chunk INTEGER NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY(part, model, chunk)) WITHOUT ROWID;
CREATE INDEX vector_chunk ON vector(chunk);
`;

/** What a chunk is found by: its own words, those of its neighbours, and where it stands. The words of what changes must be taken out
 *  of `chunk_fts` before it changes, as they are looked up here. */
export function viewOfWords(contextChunks: number): string {
  return `
CREATE VIEW chunk_words AS SELECT chunk.id AS id, 'p' || document.part AS part, coalesce(text_words, text) AS own,
  (SELECT group_concat(words, ' ') FROM (SELECT coalesce(other.text_words, other.text) AS words FROM chunk AS other
    WHERE other.document = chunk.document AND other.place BETWEEN chunk.place - ${contextChunks} AND chunk.place + ${contextChunks}
      AND other.place <> chunk.place ORDER BY other.place)) AS ctx,
  coalesce(heading_words, heading) AS head
FROM chunk JOIN document ON document.id = chunk.document`;
}

export const wordIndex = `
CREATE VIRTUAL TABLE chunk_fts USING fts5(part, own, ctx, head, content='chunk_words', content_rowid='id',
  tokenize="porter unicode61 remove_diacritics 2");
INSERT INTO chunk_fts(chunk_fts, rank) VALUES('secure-delete', 1)`;

/** Of part, own, ctx and head. */
const columnWeights = "0, 1.0, 0.4, 0.5";

const words = `words AS MATERIALIZED (
  SELECT rowid AS id, -bm25(chunk_fts, ${columnWeights}) AS score FROM chunk_fts WHERE chunk_fts MATCH ?)`;

const meaning = `asked AS MATERIALIZED (SELECT vector8(?) AS value),
meaning AS MATERIALIZED (
  SELECT chunk AS id, 1 - vector_distance_cos(value, (SELECT value FROM asked)) AS score FROM vector
  WHERE part IN (SELECT value FROM json_each(?)) AND model = (SELECT id FROM model WHERE name = ?))`;

const bestOf = (side: string) =>
  `SELECT id FROM (SELECT id FROM ${side} ORDER BY score DESC, id LIMIT ?)`;

/** Takes: match, candidates. Gives: id, score of words. Sorted, so that the work is done on the driver's thread. */
export const findByWords = `WITH ${words} SELECT id, score FROM words ORDER BY score DESC, id LIMIT ?`;

/** Takes: match, vector, parts, name of the model, candidates, candidates. Gives: id, score of words, cosine; for what one side found, the other
 *  side's score too. */
export const findByBoth = `WITH ${words}, ${meaning},
found AS (${bestOf("words")} UNION ${bestOf("meaning")})
SELECT found.id, coalesce(words.score, 0), meaning.score FROM found
LEFT JOIN words ON words.id = found.id LEFT JOIN meaning ON meaning.id = found.id ORDER BY found.id`;

/** Takes: vector, parts, name of the model, candidates. Gives: id, 0, cosine. */
export const findByMeaning = `WITH ${meaning} SELECT id, 0, score FROM meaning ORDER BY score DESC, id LIMIT ?`;
