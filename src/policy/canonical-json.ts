import { hash } from "node:crypto";
import { AgentError } from "../schema/errors.ts";
import type { Json, JsonObject } from "../schema/json.ts";

const maxDepth = 128;

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}

function write(value: Json, depth: number): string {
  if (depth > maxDepth)
    throw new AgentError("json.invalid", `The value is nested more than ${maxDepth} levels deep.`);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new AgentError("json.invalid", `${value} has no JSON form.`);
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map((item) => write(item, depth + 1)).join(",")}]`;
  const members = Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member, depth + 1)}`);
  return `{${members.join(",")}}`;
}

/** One text for equal values: keys sorted by code unit at every level, no spaces. Throws `json.invalid` for what JSON lacks. */
export function canonicalJson(value: Json): string {
  return write(value, 0);
}

/** The sha256 of the canonical text, in hexadecimal; what an approval is bound to. */
export function hashOf(value: Json): string {
  return hash("sha256", canonicalJson(value));
}
