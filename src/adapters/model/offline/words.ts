/** Reading plain English: courtesies, quotes, file names. */

const courtesy =
  /^(?:(?:please|kindly|now|just|ok(?:ay)?|so|hi|hello|hey|(?:can|could|would|will) you(?: please)?|i(?:'d| would) like you to|i want you to|go ahead and|let's)\b[,!.]?\s+)+/i;
const quoted = /^(?:"([^"]*)"|'([^']*)'|`([^`]*)`|“([^”]*)”)$/s;
const wellKnownFile = /^(?:README|LICENSE|NOTICE|CHANGELOG|Makefile|Dockerfile|AGENTS)$/;
const token = /"[^"]+"|'[^']+'|`[^`]+`|“[^”]+”|[^\s,;"'`]+/g;

export const pathPattern = "(\"[^\"]+\"|'[^']+'|`[^`]+`|“[^”]+”|[^\\s,;\"'`]+)";

export function withoutCourtesy(text: string): string {
  const bare = text.trim().replace(courtesy, "");
  return bare.replace(/,?\s(?:please|thanks|thank you)[.!]*$/i, "").trim();
}

export function unquoted(text: string): string {
  const match = quoted.exec(text.trim());
  return match === null ? text.trim() : (match.slice(1).find((part) => part !== undefined) ?? "");
}

export function isQuoted(text: string): boolean {
  return quoted.test(text.trim());
}

/** A path as a person writes it in a sentence: quotes and closing punctuation go. */
export function cleanPath(text: string): string {
  return isQuoted(text) ? unquoted(text) : withoutEnding(text, ".?!:,;");
}

/** In one pass: a pattern would begin anew at each of ten thousand dots. */
export function withoutEnding(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export function looksLikePath(text: string): boolean {
  if (isQuoted(text)) return true;
  const path = cleanPath(text);
  if (path.includes("://")) return false;
  return (
    /\.[a-z]\w{0,9}$/i.test(path) ||
    /\w\/|\/\w/.test(path) ||
    /^\.\w+$/.test(path) ||
    wellKnownFile.test(path)
  );
}

export function hasFileEnding(path: string): boolean {
  return /\.[a-z]\w{0,9}$/i.test(path) || wellKnownFile.test(path);
}

export function pathsIn(sentence: string): readonly string[] {
  return [...sentence.matchAll(token)]
    .map(([word]) => word)
    .filter(looksLikePath)
    .map(cleanPath);
}

const clauseBreak =
  /[,;.]?\s(?:and\s+)?then\s+|(?:[,;]|\sand)\s+(?:and\s+)?(?=(?:read|write|list|show|create|copy|ask|append|save|open|run|execute|search|find|replace)\s)/gi;

/** The steps of a sentence; what stands in quotes is never parted. */
export function clausesOf(sentence: string): readonly string[] {
  const masked = sentence.replace(/"[^"]*"|'[^'\n]*'(?!\w)|`[^`]*`|“[^”]*”/g, (part) =>
    "\u0001".repeat(part.length),
  );
  const clauses: string[] = [];
  let start = 0;
  for (const match of masked.matchAll(clauseBreak)) {
    clauses.push(sentence.slice(start, match.index));
    start = match.index + match[0].length;
  }
  clauses.push(sentence.slice(start));
  return clauses.map((clause) => withoutCourtesy(clause)).filter((clause) => clause !== "");
}
