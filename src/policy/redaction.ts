import { shortestSecret } from "./secret-forms.ts";
import {
  createSecretScan,
  isBase64Unit,
  redacted,
  type SecretScan,
  type Span,
} from "./secret-scan.ts";
import { type RedactedStream, redactStream, untouchedStream } from "./stream-redaction.ts";

/** Replaces the secrets that are known. What it has never been told it cannot find. */

export type Redactor = {
  /** The text itself where it holds no secret. */
  readonly text: (text: string) => string;
  /** The value itself where it holds no secret, else a copy; keys are searched too. What JSON would not show, because it is
   *  circular, too deep or throws when it is read, becomes `[redacted]`. Never throws. */
  readonly json: <T>(value: T) => T;
  /** For one text that comes in pieces. */
  readonly stream: () => RedactedStream;
};

const deepest = 500;

/** Secrets of fewer than 8 characters are not looked for. One pass over the text, whatever the number of secrets. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const scan = createSecretScan(secrets.filter((secret) => secret.length >= shortestSecret));
  const text = scan === undefined ? (whole: string) => whole : textRedactor(scan);
  return {
    text,
    stream: () => (scan === undefined ? untouchedStream : redactStream(scan)),
    json: <T>(value: T): T => redactValue({ text, seen: new Map() }, value, 0) as T,
  };
}

function textRedactor({ scan, isBase64 }: SecretScan): (text: string) => string {
  return (text) => {
    const spans: Span[] = [];
    scan(text, ({ start, end, word }) => {
      const found = { start, end };
      addSpan(spans, isBase64(word) ? base64Run(text, found, spans.at(-1)) : found);
    });
    return spans.length === 0 ? text : cutOut(text, spans);
  };
}

/** Spans come ordered by end; one that reaches back into earlier ones swallows them. */
function addSpan(spans: Span[], span: Span): void {
  let { start, end } = span;
  let last = spans.at(-1);
  while (last !== undefined && last.end >= start) {
    start = Math.min(start, last.start);
    end = Math.max(end, last.end);
    spans.pop();
    last = spans.at(-1);
  }
  spans.push({ start, end });
}

/** Does not walk again over what an earlier match has covered, so that many matches in one run stay linear. */
function base64Run(text: string, found: Span, earlier: Span | undefined): Span {
  if (earlier !== undefined && earlier.end >= found.end && earlier.start <= found.start)
    return found;
  let { start, end } = found;
  while (start > (earlier?.end ?? 0) && isBase64Unit(text.charCodeAt(start - 1))) start -= 1;
  while (end < text.length && isBase64Unit(text.charCodeAt(end))) end += 1;
  return { start, end };
}

function cutOut(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let position = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(position, start), redacted);
    position = end;
  }
  parts.push(text.slice(position));
  return parts.join("");
}

type Walk = {
  readonly text: (text: string) => string;
  /** Finished objects to their result, unfinished ones to the marker. */
  readonly seen: Map<object, unknown>;
};

function redactValue(walk: Walk, value: unknown, depth: number): unknown {
  if (typeof value === "string") return walk.text(value);
  if (typeof value !== "object" || value === null) return value;
  const known = walk.seen.get(value);
  if (known !== undefined) return known;
  if (depth >= deepest) return redacted;
  walk.seen.set(value, redacted);
  const result = redactObject(walk, value, depth);
  walk.seen.set(value, result);
  return result;
}

function redactObject(walk: Walk, value: object, depth: number): unknown {
  try {
    if (Array.isArray(value)) return redactArray(walk, value, depth);
    if ("toJSON" in value && typeof value.toJSON === "function") {
      const shown: unknown = value.toJSON();
      const clean = redactValue(walk, shown, depth + 1);
      return clean === shown ? value : clean;
    }
    return redactRecord(walk, value, depth);
  } catch {
    return redacted;
  }
}

function redactArray(walk: Walk, items: readonly unknown[], depth: number): readonly unknown[] {
  const clean = items.map((item) => redactValue(walk, item, depth + 1));
  return clean.every((item, index) => Object.is(item, items[index])) ? items : clean;
}

function redactRecord(walk: Walk, record: object, depth: number): object {
  const entries = Object.entries(record);
  const clean = entries.map(([key, item]): [string, unknown] => [
    walk.text(key),
    redactValue(walk, item, depth + 1),
  ]);
  const isSame = clean.every(
    ([key, item], index) => key === entries[index]?.[0] && Object.is(item, entries[index][1]),
  );
  return isSame ? record : Object.fromEntries(clean);
}
