import type { MemoryChunk } from "../../schema/memory.ts";

/** What of a document's chunks changed: the same text keeps its row, and with it its vector. */

export type StoredChunk = {
  readonly id: number;
  readonly hash: string;
  readonly heading: string;
};

export type NewChunk = { readonly chunk: MemoryChunk; readonly hash: string };

export type PlacedChunk = NewChunk & { readonly id: number; readonly place: number };

export type Comparison = {
  readonly added: readonly PlacedChunk[];
  readonly kept: readonly PlacedChunk[];
  readonly removed: readonly number[];
  /** Of `kept`: what is found by other words now, as its heading or a neighbour changed. */
  readonly reworded: readonly number[];
};

/** @param nextId gives an id that no chunk ever had */
export function compareChunks(
  stored: readonly StoredChunk[],
  present: readonly NewChunk[],
  { contextChunks, nextId }: { readonly contextChunks: number; readonly nextId: () => number },
): Comparison {
  const free = new Map<string, number[]>();
  for (const [at, { hash }] of stored.entries()) {
    const places = free.get(hash);
    if (places === undefined) free.set(hash, [at]);
    else places.push(at);
  }
  for (const places of free.values()) places.reverse();

  const added: PlacedChunk[] = [];
  const kept: PlacedChunk[] = [];
  const reworded: number[] = [];
  const used = new Set<number>();
  const before = stored.map(({ hash }) => hash);
  const after = present.map(({ hash }) => hash);
  for (const [place, each] of present.entries()) {
    const at = free.get(each.hash)?.pop();
    const old = at === undefined ? undefined : stored[at];
    if (at === undefined || old === undefined) {
      added.push({ ...each, id: nextId(), place });
      continue;
    }
    used.add(at);
    kept.push({ ...each, id: old.id, place });
    const isSame =
      old.heading === each.chunk.heading &&
      haveSameNeighbours({ list: before, at }, { list: after, at: place }, contextChunks);
    if (!isSame) reworded.push(old.id);
  }
  const removed = stored.filter((_, at) => !used.has(at)).map(({ id }) => id);
  return { added, kept, removed, reworded };
}

type Spot = { readonly list: readonly string[]; readonly at: number };

function haveSameNeighbours(one: Spot, other: Spot, reach: number): boolean {
  for (let step = -reach; step <= reach; step += 1) {
    if (one.list[one.at + step] !== other.list[other.at + step]) return false;
  }
  return true;
}
