const lineBreak = 10;
const continuation = 0b1000_0000;
const topBits = 0b1100_0000;
const mostContinuations = 3;

/** Breaks lines that are longer, between two characters of UTF-8, and changes nothing else.
 *  @param most bytes that a line may have, its break not counted   @returns `text` itself where no line is too long */
export function withoutLongLines(text: Uint8Array, most: number): Uint8Array {
  const breaks = placesToBreak(text, most);
  if (breaks.length === 0) return text;
  const broken = new Uint8Array(text.length + breaks.length);
  let from = 0;
  for (const [index, at] of breaks.entries()) {
    broken.set(text.subarray(from, at), from + index);
    broken[at + index] = lineBreak;
    from = at;
  }
  broken.set(text.subarray(from), from + breaks.length);
  return broken;
}

function placesToBreak(text: Uint8Array, most: number): readonly number[] {
  const breaks: number[] = [];
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf(lineBreak, start);
    const end = found < 0 ? text.length : found;
    while (end - start > most) {
      start = betweenCharacters(text, start + most);
      breaks.push(start);
    }
    start = end + 1;
  }
  return breaks;
}

/** Bytes that are no UTF-8 are parted anywhere. */
function betweenCharacters(text: Uint8Array, at: number): number {
  for (let back = 0; back <= mostContinuations; back += 1) {
    if (((text[at - back] ?? 0) & topBits) !== continuation) return at - back;
  }
  return at;
}
