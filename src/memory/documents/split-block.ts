import type { Block, Piece } from "./blocks.ts";
import { estimateTokens, quartersOf } from "../tokens.ts";

/** Cuts what is too long for one chunk: between lines, and a line that is too long by itself into windows. */

export type PieceSize = { readonly chunk_tokens: number; readonly overlap_tokens: number };

/** A little more than asked for is better than a part torn off. */
const tolerance = 1.5;

export function* piecesOfBlock(block: Block, size: PieceSize): Generator<Piece> {
  const most = size.chunk_tokens * tolerance;
  let from = 0;
  let tokens = 0;
  const whole = block.lines.map((line) => estimateTokens(line) + 1);
  const total = whole.reduce((sum, each) => sum + each, 0);
  if (total <= most) return yield pieceOf(block, 0, block.lines.length);
  for (const [at, cost] of whole.entries()) {
    if (from < at && tokens + cost > size.chunk_tokens) {
      yield pieceOf(block, from, at);
      from = at;
      tokens = 0;
    }
    if (cost > most) {
      yield* windowsOfLine(block, at, size);
      from = at + 1;
    } else {
      tokens += cost;
    }
  }
  if (from < block.lines.length) yield pieceOf(block, from, block.lines.length);
}

function pieceOf({ lines, line, heading, origins }: Block, from: number, to: number): Piece {
  const text = lines.slice(from, to).join("\n");
  return { text, line_start: line + from, line_end: line + to - 1, heading, origins };
}

function* windowsOfLine(block: Block, at: number, size: PieceSize): Generator<Piece> {
  const line = block.lines[at] ?? "";
  const place = { line_start: block.line + at, line_end: block.line + at };
  let from = 0;
  while (from < line.length) {
    const to = endOfWindow(line, from, size.chunk_tokens);
    const text = line.slice(from, to).trim();
    if (text !== "") yield { text, ...place, heading: block.heading, origins: block.origins };
    from = to === line.length ? to : Math.max(from + 1, backBy(line, to, size.overlap_tokens));
  }
}

/** After the last sentence, or else the last word, that ends in the second half of as many tokens. */
function endOfWindow(line: string, from: number, tokens: number): number {
  let quarters = tokens * 4;
  let at = from;
  let afterWord = -1;
  let afterSentence = -1;
  while (at < line.length && quarters > 0) {
    quarters -= quartersOf(line.charCodeAt(at));
    at += 1;
    if (quarters > tokens * 2) continue;
    if (isSpace(line, at)) {
      afterWord = at;
      if (endsSentence(line, at)) afterSentence = at;
    } else if (/[。！？]/.test(line.charAt(at - 1))) afterSentence = at;
  }
  if (at === line.length) return at;
  if (afterSentence !== -1) return afterSentence;
  return afterWord === -1 ? wholeCharacter(line, at) : afterWord;
}

function backBy(line: string, to: number, tokens: number): number {
  let quarters = tokens * 4;
  let at = to;
  while (at > 0 && quarters > 0) {
    at -= 1;
    quarters -= quartersOf(line.charCodeAt(at));
  }
  let word = at;
  while (word < to && !isSpace(line, word)) word += 1;
  return word < to ? word : wholeCharacter(line, at);
}

const isSpace = (line: string, at: number) => /\s/.test(line.charAt(at));

const endsSentence = (line: string, at: number) => /[.!?]/.test(line.charAt(at - 1));

/** Not between the halves of one character. */
function wholeCharacter(line: string, at: number): number {
  const code = line.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
}
