import type { MemoryChunk, MemoryDocument } from "../../schema/memory.ts";
import { chunksOf } from "./chunker.ts";
import { partitionOfPath } from "../partitions.ts";
import type { MemorySettings } from "../settings.ts";
import { isNamedAsText, decodedText } from "../decoded-text.ts";

/** What a file of memory is found by; or why it is not. The chunks of a large file are cut one at a time, as they are taken. */
export type Readable =
  | { readonly document: Omit<MemoryDocument, "chunks">; readonly chunks: Iterable<MemoryChunk> }
  | { readonly skipped: string };

export type ReadFile = {
  readonly path: string;
  readonly hash: string;
  /** Null: it is larger than is read. */
  readonly content: Uint8Array | null;
};

type Sizes = Pick<MemorySettings, "chunk_tokens" | "overlap_tokens">;

export function fileDocument({ path, hash, content }: ReadFile, sizes: Sizes): Readable {
  const partition = partitionOfPath(path);
  if (partition === undefined) return { skipped: "it lies in no agent's memory" };
  const found = isNamedAsText(path) ? chunksOfText(path, content, sizes) : namedOnly(path);
  if (typeof found === "string") return { skipped: found };
  const version = versionOf(hash, sizes);
  return { document: { path, partition, kind: "memory", version }, chunks: found };
}

/** Of a file with these contents: cut otherwise, it is another. */
export function versionOf(hash: string, { chunk_tokens, overlap_tokens }: Sizes): string {
  return `${hash} ${chunk_tokens}/${overlap_tokens}`;
}

function chunksOfText(
  path: string,
  content: Uint8Array | null,
  sizes: Sizes,
): Iterable<MemoryChunk> | string {
  if (content === null) return "it is too large";
  const text = decodedText(content);
  return text === undefined ? "it is not UTF-8 text" : chunksOf({ path, text }, sizes);
}

/** An image, a recording: its name says what it is; what else is said of it stands in the Markdown that links it. */
function namedOnly(path: string): MemoryChunk[] {
  const text = path.slice(path.lastIndexOf("/") + 1);
  return [{ text, heading: "", line_start: 1, line_end: 1, origins: [] }];
}
