const drawnTogether = 32;
const secondHalf = /^[\udc00-\udfff]/;
const joinsBefore = /^[\p{M}\p{Emoji_Modifier}\u200d]/u;
const joinsAfter = /\u200d$/;

/** @returns `at` or a little before: not between the halves of a character, nor before what is drawn onto the one before */
export function characterEdge(text: string, at: number): number {
  for (let edge = at; edge > at - drawnTogether; edge -= 1) {
    const next = text.slice(edge, edge + 2);
    const isWithin = isHalf(text, edge) || joinsBefore.test(next);
    if (!isWithin && !joinsAfter.test(text.slice(edge - 1, edge))) return edge;
  }
  return isHalf(text, at) ? at - 1 : at;
}

function isHalf(text: string, at: number): boolean {
  return at > 0 && secondHalf.test(text.slice(at, at + 1));
}
