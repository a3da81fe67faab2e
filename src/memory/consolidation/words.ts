/** Words of a text, to compare what it says with what another says. */

const word = /[\p{L}\p{N}][\p{L}\p{N}'’.@:/_-]*/gu;
const endOfWord = /(?:['’]s|['’.:/_-])+$/u;

/** In lower case, without marks at their ends: `anna`, `evil.com`, `3rd`. */
export function wordsOf(text: string): string[] {
  const found = text.normalize("NFC").toLowerCase().match(word) ?? [];
  return found.map((each) => each.replace(endOfWord, ""));
}
