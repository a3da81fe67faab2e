import { type Piece, textOf } from "./styled-text.ts";

/** Readable without any markup: the address of a link stands behind its words, as long as all of it fits. */
export function piecesAsPlain(pieces: readonly Piece[], most: number): string {
  const withAddresses = pieces
    .map((each, index) => each.text + addressAfter(pieces, index))
    .join("");
  return withAddresses.length <= most ? withAddresses : textOf(pieces);
}

function addressAfter(pieces: readonly Piece[], index: number): string {
  const link = pieces[index]?.look.link;
  const goesOn = pieces[index + 1]?.look.link === link;
  return link === undefined || goesOn ? "" : ` (${link})`;
}
