const anyEscape = /\\(?:ud[89a-f][\da-f]{2}|.)/g;

/** JSON without halves of characters, as a cut through an emoji leaves them. Only they have an escape that begins with `\ud`, and who
 *  takes UTF-8 refuses the whole text for one of them. */
export function wholeCharactersIn(json: string): string {
  if (!json.includes(String.raw`\ud`)) return json;
  return json.replaceAll(anyEscape, (found) =>
    found.startsWith(String.raw`\ud`) ? String.raw`\ufffd` : found,
  );
}
