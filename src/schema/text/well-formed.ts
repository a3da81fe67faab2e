/** False for a text with half a character in it, as a cut through an emoji leaves it: it can be written into no address and no UTF-8. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
