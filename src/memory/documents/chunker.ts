import type { MemoryChunk } from "../../schema/memory.ts";
import type { Block, Piece } from "./blocks.ts";
import { isMarkdown, outerHeading } from "./headings.ts";
import { blocksOfMarkdown } from "./markdown-blocks.ts";
import { packPieces } from "./pack-pieces.ts";
import { blocksOfPlainText } from "./plain-blocks.ts";
import { piecesOfBlock, type PieceSize } from "./split-block.ts";
import { isReadableText } from "./readable-text.ts";

/** Cuts a file into the pieces that are found, one at a time: a large file need not hold up everybody else. Nothing comes of what is
 *  no text. */
export function* chunksOf(
  { path, text }: { readonly path: string; readonly text: string },
  size: PieceSize,
): Generator<MemoryChunk> {
  if (!isReadableText(text)) return;
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const outer = outerHeading(path);
  const blocks = isMarkdown(path)
    ? blocksOfMarkdown(lines, outer)
    : blocksOfPlainText(lines, outer);
  yield* packPieces(piecesOf(blocks, size), size);
}

function* piecesOf(blocks: Iterable<Block>, size: PieceSize): Generator<Piece> {
  for (const block of blocks) yield* piecesOfBlock(block, size);
}
