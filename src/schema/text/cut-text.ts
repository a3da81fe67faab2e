/** The beginning of a text, in UTF-16 units, and its end; no character is cut in two. */

export function beginningOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}

export function endOf(text: string, most: number): string {
  return text.length <= most ? text : text.slice(-most).replace(/^[\uDC00-\uDFFF]/, "");
}
