import type { ModelCall, ModelDelta } from "../../../src/ports/model.ts";
import {
  text,
  type ContentBlock,
  type LlmMessage,
  type LlmRequest,
  type ToolDef,
} from "../../../src/schema/llm.ts";

export function tool(name: string): ToolDef {
  return { name, description: `The tool ${name}.`, parameters: { type: "object", properties: {} } };
}

export const everyTool: readonly ToolDef[] = [
  tool("file_read"),
  tool("file_list"),
  tool("file_search"),
  tool("file_write"),
  tool("file_edit"),
  tool("shell_exec"),
  tool("memory_write"),
  tool("memory_search"),
  tool("session_search"),
  tool("ask_user"),
];

export function ask(words: string, tools: readonly ToolDef[] = []): LlmRequest {
  return {
    model: "claude-sonnet-4-5",
    system: "Be brief.",
    messages: [text("user", words)],
    tools,
    max_tokens: 1000,
  };
}

export function assistant(...content: readonly ContentBlock[]): LlmMessage {
  return { role: "assistant", content };
}

export function result(id: string, output: string, isError = false): ContentBlock {
  return { type: "tool_result", tool_call_id: id, output, is_error: isError };
}

export function results(...content: readonly ContentBlock[]): LlmMessage {
  return { role: "user", content };
}

export function callWith(onDelta?: (delta: ModelDelta) => void): ModelCall {
  return {
    signal: new AbortController().signal,
    idempotencyKey: "run-1/call-1",
    ...(onDelta === undefined ? {} : { onDelta }),
  };
}

export function streaming(): ModelCall {
  return callWith(() => undefined);
}
