/** How many cells of a terminal one character takes: what emulators of today agree upon, which the Unicode tables say for
 *  East Asian text and for emoji that are shown as pictures. Where versions of the tables differ it is the wider: a cell too
 *  many stays blank, one too few is drawn over. Ambiguous ones take one cell. */

const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18df2}\u{1aff0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{1f93b}\u{1f946}\u{20000}-\u{3fffd}]/u;
const stacked = /[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]/u;

const flagLetter = /\p{Regional_Indicator}/u;

const firstStacked = 0x300;
const remembered = new Uint8Array(0x20000);
const unknown = 0;

/** @returns 0 for what is drawn onto the character before it */
export function charWidth(code: number): 0 | 1 | 2 {
  if (code < firstStacked) return 1;
  const known = remembered[code] ?? unknown;
  if (known !== unknown) return (known - 1) as 0 | 1 | 2;
  const width = lookUp(String.fromCodePoint(code));
  remembered[code] = width + 1;
  return width;
}

function lookUp(character: string): 0 | 1 | 2 {
  if (flagLetter.test(character)) return 1;
  if (stacked.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
