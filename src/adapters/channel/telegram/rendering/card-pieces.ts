import type { CardPart } from "../../../../schema/outbound.ts";
import { cleanCard, mostCardLength } from "../../../../text/card-text.ts";
import { characterEdge } from "./character-edge.ts";
import { joinPieces, type Piece, piece, slicePieces, textOf } from "./styled-text.ts";

/** A card in one message. Whoever asks a person something makes it so short that nothing is cut (`fitsCard`); here the cut is seen. */
export function cardPieces(parts: readonly CardPart[]): readonly Piece[] {
  const whole = joinPieces(cleanCard(parts).map(ofPart), piece("\n"));
  const text = textOf(whole);
  if (text.length <= mostCardLength) return whole;
  const end = characterEdge(text, mostCardLength - roomForCut);
  const cut = `\n… (cut here: ${text.length - end} more characters are not shown)`;
  return [...slicePieces(whole, 0, end), piece(cut)];
}

const roomForCut = 80;

/** What is foreign stands in code: nothing in it can be tapped, mentions anybody, or looks like our own words. */
function ofPart(part: CardPart): readonly Piece[] {
  switch (part.kind) {
    case "title":
      return [piece(part.text, { bold: true })];
    case "line":
      return [piece(part.text)];
    case "fact":
      return [piece(`${part.name}: `), piece(part.value, { code: true })];
    case "code":
      return [piece(part.text, { block: "" })];
  }
}
