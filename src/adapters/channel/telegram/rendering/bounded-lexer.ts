import { Lexer, type Token, Tokenizer, type Tokens, type TokensList } from "marked";
import { characterEdge } from "./character-edge.ts";

/** Reads Markdown at a cost that grows with its length only, whatever it says: `marked` by itself recurses as deep as quotes and
 *  lists are nested, compares every emphasis mark of a paragraph with every other, and fills up the rows of a table. */

/** Deeper quotes and lists are text. */
const deepest = 8;
/** Emphasis and links do not reach over longer paragraphs. */
const longestInline = 2_000;
/** A table with more columns is text. */
const mostColumns = 16;

export function markdownTokens(markdown: string): readonly Token[] {
  return new BoundedLexer().lex(markdown);
}

class NarrowTables extends Tokenizer {
  override table(source: string): Tokens.Table | undefined {
    const head = source.slice(0, source.indexOf("\n"));
    return head.split("|").length > mostColumns + 2 ? undefined : super.table(source);
  }
}

class BoundedLexer extends Lexer {
  private depth = 0;

  constructor() {
    super({ gfm: true, tokenizer: new NarrowTables() });
  }

  override blockTokens(source: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], isClipped = false): Token[] {
    if (this.depth === deepest) {
      tokens.push({ type: "text", raw: source, text: source, tokens: this.inline(source) });
      return tokens;
    }
    this.depth += 1;
    super.blockTokens(source, tokens, isClipped);
    this.depth -= 1;
    return tokens;
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    let rest = source;
    while (rest.length > longestInline) {
      const end = endOfWords(rest);
      super.inlineTokens(rest.slice(0, end), tokens);
      rest = rest.slice(end);
    }
    return super.inlineTokens(rest, tokens);
  }
}

/** After a space near the longest, or there. */
function endOfWords(text: string): number {
  const words = text.slice(0, longestInline);
  const space = Math.max(words.lastIndexOf(" "), words.lastIndexOf("\n"));
  if (space > longestInline / 2) return space + 1;
  return characterEdge(text, longestInline);
}
