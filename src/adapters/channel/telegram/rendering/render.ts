import { cardPieces } from "./card-pieces.ts";
import { characterEdge } from "./character-edge.ts";
import type { Body } from "../../../../schema/outbound.ts";
import { markdownPieces } from "./markdown-blocks.ts";
import { escapeHtml, piecesAsHtml } from "./pieces-as-html.ts";
import { piecesAsPlain } from "./pieces-as-plain.ts";
import { shownText } from "./shown-text.ts";
import { splitPieces } from "./split-pieces.ts";
import { joinPieces, type Piece, piece, slicePieces, textOf } from "./styled-text.ts";

/** What a body is in Telegram: messages in its HTML, or files. Why not another way: docs/decisions/0030-telegram-html.md */

export type RenderedPart = {
  /** For `parse_mode: HTML`; at most 4096 UTF-16 units once it is read. */
  readonly html: string;
  /** The same without markup, as long at most, for when markup is refused. */
  readonly plain: string;
  /** A file to send, under these words. */
  readonly document?: { readonly name: string; readonly text: string };
};

/** Units of UTF-16: what Telegram takes, and what a part aims at. */
const mostUnits = 4_096;
const mostPart = 4_000;
/** More messages would flood a conversation. */
const mostParts = 4;
/** A longer text is a file, of which only the beginning is read. */
const longestRead = 32_000;
const beginning = 12_000;
/** Telegram reads no longer markup; only the addresses of links make it so long. */
const mostMarkupBytes = 32_000;

/** @returns at least one part; a card is exactly one */
export function renderBody(body: Body): readonly RenderedPart[] {
  switch (body.kind) {
    case "markdown":
      return renderLong(body.text, { name: "reply.md", read: markdownPieces });
    case "plain":
      return renderLong(body.text, {
        name: "message.txt",
        read: (text) => [piece(shownText(text))],
      });
    case "card":
      return [renderPart(cardPieces(body.parts))];
  }
}

/** The newest of a text that is still being written, in one part. */
export function renderUnfinished(markdown: string): RenderedPart {
  const read = newest(markdown.trim(), beginning);
  const pieces = markdownPieces(read);
  const text = textOf(pieces).trimEnd();
  if (text.trim() === "") return renderPart(nothing);
  const shown = newest(text, mostPart);
  const isWhole = shown === text && read === markdown.trim();
  const end = slicePieces(pieces, text.length - shown.length, text.length);
  return renderPart(isWhole ? pieces : [piece("… "), ...end]);
}

function newest(text: string, most: number): string {
  return text.length <= most ? text : text.slice(characterEdge(text, text.length - most));
}

type Reading = {
  /** Of the file that it is when it is too long. */
  readonly name: string;
  readonly read: (text: string) => readonly Piece[];
};

const nothing: readonly Piece[] = [piece("(no text)")];
const goesOn = piece("… It goes on: all of it is in the file below.", { italic: true });
const inFile = piece("All of it.");

function renderLong(text: string, { name, read }: Reading): readonly RenderedPart[] {
  const isLong = text.length > longestRead;
  const parts = firstParts(read(isLong ? text.slice(0, characterEdge(text, beginning)) : text));
  const [first = nothing, ...more] = parts;
  if (!isLong && parts.length <= mostParts) return [first, ...more].map(renderPart);
  const shown = joinPieces([first, [goesOn]], piece("\n\n"));
  return [renderPart(shown), { ...renderPart([inFile]), document: { name, text } }];
}

/** One more than are sent, if there are so many. */
function firstParts(pieces: readonly Piece[]): readonly Piece[][] {
  const parts: Piece[][] = [];
  for (const part of splitPieces(pieces, mostPart)) {
    parts.push(part);
    if (parts.length > mostParts) break;
  }
  return parts;
}

function renderPart(pieces: readonly Piece[]): RenderedPart {
  const html = piecesAsHtml(pieces);
  const isReadable = Buffer.byteLength(html) <= mostMarkupBytes;
  return {
    html: isReadable ? html : escapeHtml(textOf(pieces)),
    plain: piecesAsPlain(pieces, mostUnits),
  };
}
