import { searchTerms, wordsOfText } from "../../memory/search/words.ts";
import type { MemoryIndex, MemoryQuery } from "../../ports/memory-index.ts";
import { AgentError } from "../../schema/errors.ts";
import type { MemoryDocument, MemoryHit } from "../../schema/memory.ts";

/** An index that forgets all at its end, and ranks by the share of words that a chunk has. */
export function createInMemoryIndex(): MemoryIndex {
  const documents = new Map<string, MemoryDocument>();
  let isClosed = false;

  const open = async <Result>(work: () => Result): Promise<Result> => {
    if (isClosed) throw new AgentError("index.closed", "the index of memory is closed");
    return work();
  };

  return {
    documents: () =>
      open(() =>
        [...documents.values()].map(({ path, version, kind }) => ({ path, version, kind })),
      ),
    put: (document) => open(() => void documents.set(document.path, document)),
    remove: (paths) =>
      open(() => {
        for (const path of paths) documents.delete(path);
      }),
    partitions: () =>
      open(() =>
        [...new Set([...documents.values()].map(({ partition }) => partition))].toSorted(),
      ),
    search: (query) => open(() => search([...documents.values()], query)),
    stats: () =>
      open(() => ({
        documents: documents.size,
        chunks: [...documents.values()].reduce((sum, { chunks }) => sum + chunks.length, 0),
        embedded: 0,
        embedder: null,
        trouble: null,
        bytes: 0,
      })),
    clear: () => open(() => documents.clear()),
    close: async () => {
      isClosed = true;
      documents.clear();
    },
  };
}

function search(documents: readonly MemoryDocument[], query: MemoryQuery): MemoryHit[] {
  if (query.signal?.aborted === true) {
    throw new AgentError("activity.aborted", "the search was given up");
  }
  const terms = searchTerms(query.text);
  const { except = [] } = query;
  const hits = documents
    .filter(({ path }) => !except.includes(path))
    .filter(
      ({ partition, kind }) => query.partitions.includes(partition) && query.kinds.includes(kind),
    )
    .flatMap(hitsOf)
    .map((hit) => ({ ...hit, score: shareOfWords(hit, terms) }))
    .filter(({ score }) => score > 0);
  return hits.toSorted((one, other) => other.score - one.score).slice(0, query.limit);
}

function hitsOf({ path, partition, kind, chunks }: MemoryDocument): MemoryHit[] {
  return chunks.map((chunk) => ({ score: 0, path, partition, kind, ...chunk }));
}

function shareOfWords({ heading, text }: MemoryHit, terms: readonly string[]): number {
  const words = wordsOfText(`${heading} ${text}`)
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu);
  const have = ` ${(words ?? []).join(" ")} `;
  return terms.filter((term) => have.includes(` ${term} `)).length / (terms.length || 1);
}
