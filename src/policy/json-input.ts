import { AgentError } from "../schema/errors.ts";
import type { Json } from "../schema/json.ts";

/** JSON from models, providers and clients: judged by size and depth before it is parsed, and never able to name a prototype. */

export type JsonLimits = { readonly maxCharacters: number; readonly maxDepth: number };

export const jsonLimits: JsonLimits = { maxCharacters: 4 * 1024 * 1024, maxDepth: 64 };

const maxValues = 1_000_000;
const hostileKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function invalid(message: string, cause?: unknown): AgentError {
  return new AgentError("json.invalid", message, { cause });
}

function refuseFault(key: string, value: unknown): void {
  if (hostileKeys.has(key)) throw invalid(`The key ${key} is not allowed.`);
  if (typeof value === "number" && !Number.isFinite(value)) throw invalid("A number is too large.");
}

/** The index after the string that opens at `start`; the end of the text where it does not close. */
function afterString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

function refuseDepth(text: string, maxDepth: number): void {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = afterString(text, index) - 1;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > maxDepth) throw invalid(`The JSON is nested more than ${maxDepth} levels deep.`);
  }
}

/** Parses text of strangers; throws `json.invalid` for what is no JSON, too long, too deep, or hostile in a key or number. */
export function parseJsonInput(text: string, limits: JsonLimits = jsonLimits): Json {
  if (text.length > limits.maxCharacters) {
    throw invalid(
      `The JSON has ${text.length} characters; at most ${limits.maxCharacters} are allowed.`,
    );
  }
  refuseDepth(text, limits.maxDepth);
  try {
    return JSON.parse(text, (key: string, value: Json) => {
      refuseFault(key, value);
      return value;
    }) as Json;
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    throw invalid(`The text is not JSON: ${String(thrown)}`, thrown);
  }
}

/** The same refusals for a value that somebody else parsed. Iterative, so that depth cannot exhaust the stack. */
export function refuseHostileKeys(value: unknown, maxDepth: number = jsonLimits.maxDepth): void {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    seen += 1;
    if (seen > maxValues) throw invalid(`The value has more than ${maxValues} parts.`);
    refuseFault("", next.value);
    if (typeof next.value !== "object" || next.value === null) continue;
    if (next.depth >= maxDepth)
      throw invalid(`The value is nested more than ${maxDepth} levels deep.`);
    for (const [key, child] of Object.entries(next.value)) {
      refuseFault(key, child);
      waiting.push({ value: child, depth: next.depth + 1 });
    }
  }
}
