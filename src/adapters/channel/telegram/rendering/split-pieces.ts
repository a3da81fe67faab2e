import { characterEdge } from "./character-edge.ts";
import { type Piece, slicePieces, textOf } from "./styled-text.ts";

/** Text in parts that each fit a message: broken between paragraphs, else between lines, else after a sentence, else between words,
 *  else anywhere but within a character. White space at a break goes, but for the indentation of code. */
export function* splitPieces(pieces: readonly Piece[], most: number): Generator<Piece[]> {
  const all = textOf(pieces).trimEnd();
  const outline = outlineOf(pieces);
  let from = nextSaid(all, outline, 0);
  while (from < all.length) {
    const window = { text: all.slice(from), outline: outline.slice(from, from + most + 1) };
    const to = from + lengthOfPart(window, most);
    yield slicePieces(pieces, from, from + all.slice(from, to).trimEnd().length);
    from = nextSaid(all, outline, to);
  }
}

const spaceInCode = "\u0000";

/** The same text, with other spaces and line breaks in code. */
function outlineOf(pieces: readonly Piece[]): string {
  return pieces
    .map(({ text, look }) =>
      look.block === undefined ? text : text.replaceAll(/\s/g, spaceInCode),
    )
    .join("");
}

const longestIndentation = 200;

/** Where the next part begins: at what is next said, or with the indentation of its line of code. */
function nextSaid(text: string, outline: string, from: number): number {
  const blank = /\s*/y;
  blank.lastIndex = from;
  const said = from + (blank.exec(text)?.[0].length ?? 0);
  if (said === from || outline[said - 1] !== spaceInCode) return said;
  const line = Math.max(from, text.lastIndexOf("\n", said - 1) + 1);
  return said - line > longestIndentation ? said : line;
}

type Window = { readonly text: string; readonly outline: string };

function lengthOfPart({ text, outline }: Window, most: number): number {
  if (text.length <= most) return text.length;
  const window = text.slice(0, most + 1);
  const found = [
    outline.lastIndexOf("\n\n"),
    outline.lastIndexOf("\n"),
    window.lastIndexOf("\n"),
    endOfSentence(window),
    window.search(/\s\S*$/),
  ].find((at) => at >= most / 2);
  return found ?? characterEdge(text, most);
}

const sentenceEnd = /[.!?…。！？][)\]"'”’»]*(?=\s)/g;

function endOfSentence(window: string): number {
  const half = Math.floor(window.length / 2);
  const last = [...window.slice(half).matchAll(sentenceEnd)].at(-1);
  return last === undefined ? -1 : half + last.index + last[0].length;
}
