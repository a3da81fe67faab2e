import { fuse, type Candidate, type Ranked } from "../../memory/search/fuse.ts";
import type { MemorySettings } from "../../memory/settings.ts";
import { searchTerms } from "../../memory/search/words.ts";
import type { MemoryQuery } from "../../ports/memory-index.ts";
import type { MemoryHit, MemoryKind } from "../../schema/memory.ts";
import type { SqlValue } from "../libsql/libsql-connection.ts";
import type { Rows } from "./index-file.ts";
import { findByBoth, findByMeaning, findByWords } from "./index-schema.ts";
import { jsonText } from "./json-text.ts";
import { vectorText } from "./vector-rows.ts";

/** What a question means, in the space of one embedder. */
export type QueryMeaning = {
  readonly vector: Float32Array;
  readonly model: string;
  readonly weight: number;
};

export type SearchContext = {
  readonly rows: Rows;
  readonly settings: MemorySettings;
  /** Null: words alone decide. */
  readonly meaning: QueryMeaning | null;
};

export async function searchIndex(
  query: MemoryQuery,
  context: SearchContext,
): Promise<MemoryHit[]> {
  const { settings, meaning, rows } = context;
  const parts = await partsOf(query, rows);
  if (parts.length === 0) return [];
  const candidates = await findCandidates(query.text, parts, context);
  const left = await leftOf(candidates, query, rows);
  const ranked = fuse(left, {
    weight: meaning?.weight ?? 0,
    minScore: settings.min_score,
    relativeCut: settings.relative_cut,
    limit: query.limit,
  });
  return hitsOf(ranked, rows);
}

async function partsOf({ partitions, kinds }: MemoryQuery, rows: Rows): Promise<number[]> {
  const found = await rows(
    `SELECT id FROM part WHERE key IN (SELECT value FROM json_each(?)) AND kind IN (SELECT value FROM json_each(?))`,
    jsonText(partitions),
    jsonText(kinds),
  );
  return found.map(([id]) => Number(id));
}

async function findCandidates(
  text: string,
  parts: readonly number[],
  { rows, settings: { candidates: most }, meaning }: SearchContext,
): Promise<Candidate[]> {
  const terms = searchTerms(text);
  const match = matchOf(terms, parts);
  if (meaning === null) {
    if (terms.length === 0) return [];
    return (await rows(findByWords, match, most)).map(candidateOf);
  }
  const asked = [vectorText(meaning.vector), jsonText(parts), meaning.model] as const;
  if (terms.length === 0) return (await rows(findByMeaning, ...asked, most)).map(candidateOf);
  return (await rows(findByBoth, match, ...asked, most, most)).map(candidateOf);
}

/** Before they are ranked: what is left out is nobody's measure. */
async function leftOf(
  candidates: readonly Candidate[],
  { except = [] }: MemoryQuery,
  rows: Rows,
): Promise<readonly Candidate[]> {
  if (except.length === 0) return candidates;
  const found = await rows(
    `SELECT chunk.id FROM chunk JOIN document ON document.id = chunk.document
     WHERE document.path IN (SELECT value FROM json_each(?))`,
    jsonText(except),
  );
  const out = new Set(found.map(([id]) => Number(id)));
  return candidates.filter(({ id }) => !out.has(id));
}

/** Terms are letters, digits and blanks (words.ts), and stand in quotes: nothing in them is an operator. */
function matchOf(terms: readonly string[], parts: readonly number[]): string {
  return `part : (${either(parts.map((id) => `p${id}`))}) AND {own ctx head} : (${either(terms)})`;
}

const either = (words: readonly string[]) => words.map((word) => `"${word}"`).join(" OR ");

function candidateOf([id, words, meaning]: readonly SqlValue[]): Candidate {
  return {
    id: Number(id),
    words: Number(words),
    meaning: typeof meaning === "number" ? meaning : null,
  };
}

async function hitsOf(ranked: readonly Ranked[], rows: Rows): Promise<MemoryHit[]> {
  if (ranked.length === 0) return [];
  const found = await rows(
    `SELECT chunk.id, path, part.key, part.kind, line_start, line_end, heading, text, origins
     FROM chunk JOIN document ON document.id = chunk.document JOIN part ON part.id = document.part
     WHERE chunk.id IN (SELECT value FROM json_each(?))`,
    jsonText(ranked.map(({ id }) => id)),
  );
  const byId = new Map(found.map((row) => [Number(row[0]), row]));
  return ranked.flatMap(({ id, score }) => {
    const row = byId.get(id);
    return row === undefined ? [] : [hitOf(row, score)];
  });
}

function hitOf(row: readonly SqlValue[], score: number): MemoryHit {
  const [, path, partition, kind, lineStart, lineEnd, heading, text, origins] = row;
  return {
    score,
    path: String(path),
    partition: String(partition),
    kind: String(kind) as MemoryKind,
    line_start: Number(lineStart),
    line_end: Number(lineEnd),
    heading: String(heading),
    text: String(text),
    origins: JSON.parse(String(origins)) as string[],
  };
}
