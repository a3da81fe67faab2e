import type { MarkedToken, Token, Tokens } from "marked";
import { markdownTokens } from "./bounded-lexer.ts";
import { inlinePieces } from "./markdown-inline.ts";
import { tablePieces } from "./markdown-table.ts";
import { shownText } from "./shown-text.ts";
import { hangingPieces, joinPieces, type Look, type Piece, piece } from "./styled-text.ts";

/** Where a block stands. */
type Place = {
  readonly look: Look;
  /** Blocks of a list's item follow each other without a blank line. */
  readonly isItem: boolean;
};

/** Markdown in what a message of Telegram can show: headings are bold, lists and deeper quotes are text with signs. */
export function markdownPieces(markdown: string): Piece[] {
  return blocks(markdownTokens(markdown), { look: {}, isItem: false });
}

function blocks(tokens: readonly Token[], place: Place): Piece[] {
  const between = piece(place.isItem ? "\n" : "\n\n", place.look);
  return joinPieces(
    tokens.map((token) => block(token as MarkedToken, place)),
    between,
  );
}

function block(token: MarkedToken, place: Place): Piece[] {
  const { look } = place;
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return inlinePieces(token.tokens, { ...look, bold: true });
    case "paragraph":
      return inlinePieces(token.tokens, look);
    case "code":
      return [piece(shownText(token.text), { ...look, block: languageOf(token) })];
    case "hr":
      return [piece("———", look)];
    case "html":
      return [piece(shownText(token.text.trimEnd()), look)];
    case "blockquote":
      return quote(token, place);
    case "list":
      return list(token, place);
    case "table":
      return tablePieces(token, look);
    default:
      return inlinePieces([token], look);
  }
}

function languageOf({ lang = "" }: Tokens.Code): string {
  return /^[\w+#.-]{1,32}/.exec(lang)?.[0] ?? "";
}

const bar = "│ ";

/** Telegram has no quotes in quotes, and none within a line. */
function quote({ tokens }: Tokens.Blockquote, { look, isItem }: Place): Piece[] {
  if (look.quote !== true && !isItem) {
    return blocks(tokens, { look: { ...look, quote: true }, isItem });
  }
  const quoted = blocks(tokens, { look, isItem: true });
  return quoted.length === 0 ? [] : [piece(bar, look), ...hangingPieces(quoted, bar)];
}

function list({ items, ordered, start }: Tokens.List, { look }: Place): Piece[] {
  const first = start === "" ? 1 : start;
  const shown = items.map((each, index) => {
    const sign = ordered ? `${first + index}. ` : "• ";
    return item(each, each.task ? box(each) : sign, look);
  });
  return joinPieces(shown, piece("\n", look));
}

const indent = "   ";

function item({ tokens }: Tokens.ListItem, sign: string, look: Look): Piece[] {
  const said = hangingPieces(blocks(tokens, { look, isItem: true }), indent);
  const isCode = said[0]?.look.block !== undefined;
  return [piece(isCode ? `${sign}\n` : sign, look), ...said];
}

function box({ checked }: Tokens.ListItem): string {
  return checked === true ? "☑ " : "☐ ";
}
