import type { MemoryChunk } from "../../schema/memory.ts";
import type { Piece } from "./blocks.ts";
import type { PieceSize } from "./split-block.ts";
import { estimateTokens } from "../tokens.ts";

/** Puts neighbouring pieces into one chunk while they fit; never from under different headings or of different origin. */
export function* packPieces(pieces: Iterable<Piece>, size: PieceSize): Generator<MemoryChunk> {
  let open: Sized[] = [];
  let fresh = 0;
  for (const piece of pieces) {
    const next = { piece, tokens: estimateTokens(piece.text) };
    const last = open.at(-1)?.piece;
    if (last !== undefined && fresh > 0 && !fits(open, next, size)) {
      yield chunkOf(open);
      open = overlapOf(open, next, size);
      fresh = 0;
    }
    if (!belongsTo(open, piece)) open = [];
    open.push(next);
    fresh += 1;
  }
  if (fresh > 0) yield chunkOf(open);
}

type Sized = { readonly piece: Piece; readonly tokens: number };

function fits(open: readonly Sized[], next: Sized, size: PieceSize): boolean {
  return belongsTo(open, next.piece) && tokensOf(open) + next.tokens <= size.chunk_tokens;
}

function belongsTo(open: readonly Sized[], piece: Piece): boolean {
  const last = open.at(-1)?.piece;
  return (
    last !== undefined &&
    last.heading === piece.heading &&
    last.origins.join(" ") === piece.origins.join(" ") &&
    last.line_end < piece.line_start
  );
}

/** The last whole pieces that fit into what chunks share, and leave room for the next. */
function overlapOf(open: readonly Sized[], next: Sized, size: PieceSize): Sized[] {
  const room = Math.min(size.overlap_tokens, size.chunk_tokens - next.tokens);
  const kept: Sized[] = [];
  let tokens = 0;
  for (const each of open.toReversed()) {
    tokens += each.tokens;
    if (tokens > room) break;
    kept.unshift(each);
  }
  return kept;
}

const tokensOf = (pieces: readonly Sized[]) => pieces.reduce((sum, { tokens }) => sum + tokens, 0);

function chunkOf(pieces: readonly Sized[]): MemoryChunk {
  const parts = pieces.map(({ piece }) => piece);
  const [first = emptyPiece] = parts;
  let text = first.text;
  for (const [at, part] of parts.slice(1).entries()) {
    const gap = part.line_start - (parts[at]?.line_end ?? 0);
    text += (gap > 1 ? "\n\n" : "\n") + part.text;
  }
  return {
    text,
    heading: first.heading,
    line_start: first.line_start,
    line_end: parts.at(-1)?.line_end ?? first.line_end,
    origins: first.origins,
  };
}

const emptyPiece: Piece = { text: "", line_start: 1, line_end: 1, heading: "", origins: [] };
