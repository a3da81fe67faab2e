import type { CardPart } from "../schema/outbound.ts";
import { shown, shownLines } from "./shown.ts";

/** A card as it is read, the same in every channel: a line a part, everything in it cleaned. */

/** In UTF-16 units: what the narrowest channel shows in one message, and room for a word of its own. */
export const mostCardLength = 4_000;

/** Shown whole in one message of every channel. */
export function fitsCard(parts: readonly CardPart[]): boolean {
  return cardLength(parts) <= mostCardLength;
}

/** @returns UTF-16 units of what is read */
export function cardLength(parts: readonly CardPart[]): number {
  return cardText(parts).length;
}

export function cardText(parts: readonly CardPart[]): string {
  return cleanCard(parts)
    .map((part) => (part.kind === "fact" ? `${part.name}: ${part.value}` : part.text))
    .join("\n");
}

/** Only foreign text in a block of its own keeps its lines. */
export function cleanCard(parts: readonly CardPart[]): CardPart[] {
  return parts.map((part) => {
    switch (part.kind) {
      case "title":
      case "line":
        return { ...part, text: shown(part.text) };
      case "fact":
        return { ...part, name: shown(part.name), value: shown(part.value) };
      case "code":
        return { ...part, text: part.text.trim() === "" ? "(empty)" : shownLines(part.text) };
    }
  });
}
