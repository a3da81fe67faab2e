import type { MarkedToken, Token } from "marked";
import { withoutReferences } from "./character-references.ts";
import { linkPieces } from "./link-pieces.ts";
import { shownText } from "./shown-text.ts";
import { type Look, type Piece, piece } from "./styled-text.ts";

/** What stands within a paragraph. A line break stays one; HTML is text. */
export function inlinePieces(tokens: readonly Token[], look: Look): Piece[] {
  return tokens.flatMap((token) => ofToken(token as MarkedToken, look));
}

function ofToken(token: MarkedToken, look: Look): readonly Piece[] {
  switch (token.type) {
    case "strong":
      return inlinePieces(token.tokens, { ...look, bold: true });
    case "em":
      return inlinePieces(token.tokens, { ...look, italic: true });
    case "del":
      return inlinePieces(token.tokens, { ...look, strike: true });
    case "codespan":
      return [piece(shownText(token.text), { ...look, code: true })];
    case "link":
    case "image":
      return ofLink(token, look);
    case "text":
      if (token.tokens !== undefined) return inlinePieces(token.tokens, look);
      return [piece(shownText(withoutReferences(token.text)), look)];
    default:
      return [piece(wordsOf(token), look)];
  }
}

function wordsOf(token: MarkedToken): string {
  switch (token.type) {
    case "br":
      return "\n";
    case "checkbox":
      return "";
    case "escape":
      return shownText(token.text);
    case "html":
      return lineBreak.test(token.text) ? "\n" : shownText(token.text);
    default:
      return shownText(token.raw);
  }
}

const lineBreak = /^<br\s*\/?>$/i;

/** Addresses that stand there as such are links to Telegram by themselves. */
function ofLink(
  token: Extract<MarkedToken, { type: "link" | "image" }>,
  look: Look,
): readonly Piece[] {
  if (token.type === "link" && token.autolink === true) return [piece(shownText(token.text), look)];
  const words = inlinePieces(token.tokens, look);
  return look.link === undefined
    ? linkPieces({ href: withoutReferences(token.href), words, look })
    : words;
}
