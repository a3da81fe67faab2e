import { AgentError } from "../../schema/errors.ts";
import type { Json, JsonObject } from "../../schema/json.ts";
import type { ToolDef, ToolUseBlock } from "../../schema/llm.ts";

/** What any provider's tool calls must satisfy before the rest of the service sees them. */

const maxDepth = 64;
const refusedKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

type Level = { readonly value: unknown; readonly depth: number };

function faultInJson(input: JsonObject): string | undefined {
  const open: Level[] = [{ value: input, depth: 1 }];
  for (let level = open.pop(); level !== undefined; level = open.pop()) {
    if (typeof level.value === "number" && !Number.isFinite(level.value))
      return "has a number that is too large";
    if (typeof level.value !== "object" || level.value === null) continue;
    if (level.depth > maxDepth) return `is nested deeper than ${maxDepth} levels`;
    for (const [key, value] of Object.entries(level.value as Record<string, Json>)) {
      if (refusedKeys.has(key)) return `has the key ${JSON.stringify(key)}`;
      open.push({ value, depth: level.depth + 1 });
    }
  }
  return undefined;
}

export function badAnswer(what: string): AgentError {
  return new AgentError("model.bad_response", what);
}

/** @throws `model.bad_response` when a call is malformed, dangerous, or names a tool that was not offered. */
export function checkToolUse(block: ToolUseBlock, offered: readonly ToolDef[]): ToolUseBlock {
  const { id, name, input } = block;
  if (typeof id !== "string" || id.length < 1 || id.length > 128)
    throw badAnswer("A tool call in the model's answer has no usable id.");
  if (!offered.some((tool) => tool.name === name)) {
    throw badAnswer(`The model called ${JSON.stringify(name)}, a tool that was not offered.`);
  }
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw badAnswer(`The input of the model's call to ${name} is not an object.`);
  }
  const fault = faultInJson(input);
  if (fault !== undefined)
    throw badAnswer(`The input of the model's call to ${name} ${fault}, which is refused.`);
  return block;
}
