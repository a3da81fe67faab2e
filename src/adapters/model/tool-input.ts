import { AgentError } from "../../schema/errors.ts";
import type { Json, JsonObject } from "../../schema/json.ts";
import type { ToolDef, ToolUseBlock } from "../../schema/llm.ts";

/** What any provider's tool calls must satisfy before the rest of the service sees them. */

/** What every provider takes back as the name of a tool. */
const toolName = /^[a-zA-Z0-9_-]{1,128}$/;

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

/** A wrong name is the policy's to refuse, so that the model hears of it; a call where no tool was offered is senseless.
 *  @throws `model.bad_response` when a call is malformed or dangerous */
export function checkToolUse(block: ToolUseBlock, offered: readonly ToolDef[]): ToolUseBlock {
  const { id, name, input } = block;
  if (typeof id !== "string" || id.length < 1 || id.length > 128)
    throw badAnswer("A tool call in the model's answer has no usable id.");
  if (typeof name !== "string" || !toolName.test(name) || offered.length === 0) {
    throw badAnswer(`The model called ${JSON.stringify(name)}, which was not offered.`);
  }
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw badAnswer(`The input of the model's call to ${name} is not an object.`);
  }
  const fault = faultInJson(input);
  if (fault !== undefined)
    throw badAnswer(`The input of the model's call to ${name} ${fault}, which is refused.`);
  return block;
}
