import type { Memories, MemorySearch, MemoryWrite } from "../../ports/memory.ts";
import { AgentError } from "../../schema/errors.ts";
import type { MemoryHit } from "../../schema/memory.ts";
import type { SessionPlace } from "../../schema/session-place.ts";

/** Memory that stands in an array: finds what has a word in common with what is asked, the most such words first. */

export type FakeMemories = Memories & {
  readonly pieces: MemoryHit[];
  readonly writes: (MemoryWrite & { readonly place: SessionPlace })[];
  /** Every search and write rejects with it, while it is set. */
  fault?: AgentError | undefined;
};

export function createFakeMemories(pieces: readonly Partial<MemoryHit>[] = []): FakeMemories {
  const memories: FakeMemories = {
    pieces: pieces.map(pieceOf),
    writes: [],
    of: (place) => ({
      search: async (request) => {
        stopIfFaulty(memories, request.signal);
        return found(memories.pieces, place, request);
      },
      write: async (write) => {
        stopIfFaulty(memories, write.signal);
        return written(memories, place, write);
      },
    }),
  };
  return memories;
}

export function pieceOf(piece: Partial<MemoryHit>): MemoryHit {
  return {
    score: 1,
    path: "main/local/MEMORY.md",
    partition: "main/local",
    kind: "memory",
    line_start: 1,
    line_end: 1,
    heading: "",
    text: "",
    origins: [],
    ...piece,
  };
}

function stopIfFaulty({ fault }: FakeMemories, signal: AbortSignal): void {
  if (signal.aborted) throw new AgentError("activity.aborted", "The search was stopped.");
  if (fault !== undefined) throw fault;
}

function found(
  pieces: readonly MemoryHit[],
  place: SessionPlace,
  { text, sources, kinds, limit, except = [] }: MemorySearch,
): MemoryHit[] {
  const asked = wordsOf(text);
  const own = ownPartition(place);
  const isReadable = ({ partition }: MemoryHit) =>
    (partition === own && sources.includes("own")) ||
    (partition === "shared" && sources.includes("shared"));
  return pieces
    .filter((piece) => kinds.includes(piece.kind) && isReadable(piece))
    .filter(({ path }) => !except.includes(path))
    .map((piece) => ({ piece, common: wordsOf(piece.text).filter((word) => asked.includes(word)) }))
    .filter(({ common }) => common.length > 0)
    .toSorted((one, other) => other.common.length - one.common.length)
    .slice(0, limit)
    .map(({ piece }) => piece);
}

function written(memories: FakeMemories, place: SessionPlace, write: MemoryWrite) {
  const { target, entry, key } = write;
  const partition = target.to === "shared" ? "shared" : ownPartition(place);
  const path = `${partition}/${target.to === "shared" ? `concepts/${target.concept}.md` : fileOf[target.to]}`;
  if (!memories.writes.some((earlier) => earlier.key === key)) {
    memories.writes.push({ ...write, place });
    memories.pieces.push(pieceOf({ ...entry, path, partition }));
  }
  return { path };
}

const fileOf = { daily: "today.md", long_term: "MEMORY.md" };

function ownPartition({ agent_id, connector_id }: SessionPlace): string {
  return `${agent_id}/${connector_id}`;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
