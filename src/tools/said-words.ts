/** Finds words in what was said: every one must occur, capitals or not, and no character of them is a wildcard. */

const mostExcerptCharacters = 400;
const shownBefore = 120;

/** Words, and phrases in double quotes; a quote without its second is a character like any other. */
export function wordsIn(query: string): readonly string[] {
  const found = query.matchAll(/"([^"]*)"|(\S+)/g);
  const words = [...found].map(([, phrase, word]) => folded(oneLine(phrase ?? word ?? "")));
  return [...new Set(words)].filter((word) => word !== "");
}

/** What was said around the first of the words, in one line; undefined where one of them does not occur. */
export function excerptWith(words: readonly string[], said: string): string | undefined {
  const whole = oneLine(said);
  const searched = folded(whole);
  const places = words.map((word) => searched.indexOf(word));
  if (places.includes(-1)) return undefined;
  // Some capitals have small forms of another length, so that places in the one text are none in the other.
  const text = searched.length === whole.length ? whole : searched;
  return cutAround(text, Math.min(...places));
}

function oneLine(text: string): string {
  return text.normalize().replaceAll(/\s+/g, " ").trim();
}

function folded(text: string): string {
  return text.toLowerCase();
}

function cutAround(text: string, at: number): string {
  if (text.length <= mostExcerptCharacters) return text;
  const latestStart = text.length - mostExcerptCharacters;
  const from = Math.max(0, Math.min(at - shownBefore, latestStart));
  const to = from + mostExcerptCharacters;
  const part = text.slice(from, to).replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${part}${to < text.length ? "…" : ""}`;
}
