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
  return isList(value) ? writeList(value, depth + 1) : writeMembers(value, depth + 1);
}

function writeList(items: readonly Json[], depth: number): string {
  let text = "";
  for (const item of items) text += `${text === "" ? "" : ","}${write(item, depth)}`;
  return `[${text}]`;
}

function writeMembers(members: JsonObject, depth: number): string {
  let text = "";
  for (const key of Object.keys(members).toSorted()) {
    const separator = text === "" ? "" : ",";
    text += `${separator}${JSON.stringify(key)}:${write(members[key] as Json, depth)}`;
  }
  return `{${text}}`;
}

/** One text for equal values: keys sorted by code unit at every level, no spaces. Throws `json.invalid` for what JSON lacks. */
export function canonicalJson(value: Json): string {
  return write(value, 0);
}

/** The sha256 of the canonical text, in hexadecimal; what an approval is bound to. */
export function hashOf(value: Json): string {
  return hash("sha256", canonicalJson(value));
}
