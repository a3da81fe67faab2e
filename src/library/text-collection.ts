import { createHash } from "node:crypto";
import type { LibsqlMemoryIndex } from "../adapters/memory-index/open-memory-index.ts";
import type { MemoryChunk } from "../schema/memory.ts";

/** Texts with ids, kept as documents of an index of memory: one for each source, and one for each text without any. A text's id stands
 *  in its chunk's place for origins, its number in the source in that for lines. */

export type IndexedText = {
  /** Another text under the same id takes its place. */
  readonly id: string;
  readonly text: string;
  /** What is searched by itself; `default` where it is left out. */
  readonly partition?: string;
  /** Texts of one source are neighbours, in the order in which they were added: each is found by the words of those beside it too. */
  readonly source?: string;
  readonly heading?: string;
};

export type TextHit = { readonly id: string; readonly score: number; readonly text: string };

type Place = { readonly partition: string; readonly path: string };

export type CollectionQuery = {
  readonly text: string;
  readonly limit: number;
  readonly partition?: string;
  readonly signal?: AbortSignal;
};

export class TextCollection {
  readonly index: LibsqlMemoryIndex;
  private readonly places: Map<string, Place>;

  private constructor(index: LibsqlMemoryIndex, places: Map<string, Place>) {
    this.index = index;
    this.places = places;
  }

  static async load(this: void, index: LibsqlMemoryIndex): Promise<TextCollection> {
    const places = new Map<string, Place>();
    for (const { origin, partition, path } of await index.origins()) {
      places.set(origin, { partition, path });
    }
    return new TextCollection(index, places);
  }

  async add(texts: readonly IndexedText[]): Promise<void> {
    const latest = new Map(texts.map((text) => [text.id, text]));
    await this.remove(
      [...latest.values()].flatMap((text) =>
        this.places.has(text.id) && this.places.get(text.id)?.path !== placeOf(text).path
          ? [text.id]
          : [],
      ),
    );
    for (const group of groupsOf(latest.values())) await this.addToSource(group);
  }

  async remove(ids: readonly string[]): Promise<void> {
    const byPath = new Map<string, Place>();
    for (const id of ids) {
      const place = this.places.get(id);
      if (place !== undefined) byPath.set(place.path, place);
    }
    const gone = new Set(ids);
    const empty: string[] = [];
    for (const place of byPath.values()) {
      const present = await this.index.chunks(place.path);
      const left = present.filter(({ origins: [id = ""] }) => !gone.has(id));
      if (left.length === 0) empty.push(place.path);
      else await this.put(place, left);
    }
    if (empty.length > 0) await this.index.remove(empty);
    for (const id of ids) this.places.delete(id);
  }

  async search({ partition, ...query }: CollectionQuery): Promise<readonly TextHit[]> {
    const partitions = partition === undefined ? await this.index.partitions() : [partition];
    const hits = await this.index.search({ ...query, partitions, kinds: ["memory"] });
    return hits.map(({ origins: [id = ""], score, text }) => ({ id, score, text }));
  }

  private async addToSource({ place, texts }: Group): Promise<void> {
    const chunks = new Map<string, MemoryChunk>();
    for (const chunk of await this.index.chunks(place.path)) {
      chunks.set(chunk.origins[0] ?? "", chunk);
    }
    for (const text of texts) chunks.set(text.id, chunkOf(text));
    await this.put(place, [...chunks.values()]);
    for (const { id } of texts) this.places.set(id, place);
  }

  private async put(place: Place, chunks: readonly MemoryChunk[]): Promise<void> {
    const numbered = chunks.map((chunk, at) => ({
      ...chunk,
      line_start: at + 1,
      line_end: at + 1,
    }));
    await this.index.put({ ...place, kind: "memory", version: "", chunks: numbered });
  }
}

type Group = { readonly place: Place; readonly texts: IndexedText[] };

function groupsOf(texts: Iterable<IndexedText>): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const text of texts) {
    const place = placeOf(text);
    const group = groups.get(place.path);
    if (group === undefined) groups.set(place.path, { place, texts: [text] });
    else group.texts.push(text);
  }
  return groups.values();
}

function placeOf({ id, partition = "default", source }: IndexedText): Place {
  const names = source === undefined ? [partition, "", id] : [partition, source];
  return { partition, path: createHash("sha256").update(JSON.stringify(names)).digest("hex") };
}

function chunkOf({ id, text, heading = "" }: IndexedText): MemoryChunk {
  const place = { line_start: 1, line_end: 1 };
  return { text: withoutNul(text), heading: withoutNul(heading), ...place, origins: [id] };
}

/** SQLite takes a text to end there. */
const withoutNul = (text: string) => text.replaceAll("\0", " ");
