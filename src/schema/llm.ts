import { z } from "zod";
import type { JsonObject } from "./json.ts";

/** The words between statehive and a model: messages, requests, responses, tool definitions. */

const jsonObject = z.record(z.string(), z.json()) as z.ZodType<JsonObject>;

export const toolUseBlock = z.strictObject({
  type: z.literal("tool_use"),
  id: z.string().min(1).max(128),
  name: z.string().min(1).max(128),
  input: jsonObject,
});

export const contentBlock = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  toolUseBlock,
  z.strictObject({
    type: z.literal("tool_result"),
    tool_call_id: z.string().min(1),
    output: z.string(),
    is_error: z.boolean(),
  }),
  /** `signature` and `redacted` are the provider's: they go back to it unchanged. */
  z.strictObject({
    type: z.literal("thinking"),
    thinking: z.string(),
    signature: z.string().optional(),
    redacted: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("image"), media_type: z.string(), data: z.string() }),
]);

/** More than any call can have: what a provider claims beyond it is no count. */
const tokens = z.int().nonnegative().max(1_000_000_000);

/** `input_tokens` is all input; those read from the provider's cache, or written to it, are part of it. */
export const usage = z.strictObject({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_tokens: tokens.default(0),
  cache_write_tokens: tokens.default(0),
});

export const stopReason = z.enum(["end_turn", "tool_use", "max_tokens", "refusal"]);

export const llmResponse = z.strictObject({
  content: z.array(contentBlock),
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_tokens: tokens.optional(),
  cache_write_tokens: tokens.optional(),
  stop_reason: stopReason,
});

export type ContentBlock = z.infer<typeof contentBlock>;
export type ToolUseBlock = z.infer<typeof toolUseBlock>;
export type ToolResultBlock = Extract<ContentBlock, { type: "tool_result" }>;
export type Usage = z.infer<typeof usage>;
export type StopReason = z.infer<typeof stopReason>;
export type LlmResponse = z.infer<typeof llmResponse>;
export type Role = "user" | "assistant";

export const noUsage: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
};

/** Counts from before the cache was counted lack its two. */
export function addUsage(one: Usage, other: Usage): Usage {
  const sum = (count: keyof Usage) => (one[count] ?? 0) + (other[count] ?? 0);
  return {
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cache_read_tokens: sum("cache_read_tokens"),
    cache_write_tokens: sum("cache_write_tokens"),
  };
}

export type LlmMessage = { readonly role: Role; readonly content: readonly ContentBlock[] };

/** `parameters` is a JSON Schema of type object. */
export type ToolDef = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
};

export type ToolCall = { readonly id: string; readonly name: string; readonly input: JsonObject };
export type ToolResult = {
  readonly tool_call_id: string;
  readonly output: string;
  readonly is_error: boolean;
};

export type LlmRequest = {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly ToolDef[];
  readonly max_tokens: number;
  /** Tokens that the model may think before it answers; 0 or absent: none. */
  readonly thinking_budget?: number;
};

export function text(role: Role, content: string): LlmMessage {
  return { role, content: [{ type: "text", text: content }] };
}

export function textOf(content: readonly ContentBlock[]): string {
  return content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("");
}
