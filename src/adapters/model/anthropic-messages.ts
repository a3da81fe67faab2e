import type Anthropic from "@anthropic-ai/sdk";
import type { ContentBlock, LlmMessage, LlmRequest, Role } from "../../schema/llm.ts";

/** statehive's request in the words of the Anthropic Messages API. Text and tool calls are alike in both and not copied. */

type WireBlock = Anthropic.ContentBlockParam;
type WireMessage = { readonly role: Role; readonly content: WireBlock[] };

const minThinkingBudget = 1024;

/** Undefined for what the API would refuse: an empty text, a thought that another provider had. */
function toWireBlock(block: ContentBlock): WireBlock | undefined {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? undefined : block;
    case "tool_use":
      return block;
    case "tool_result":
      return {
        type: "tool_result",
        tool_use_id: block.tool_call_id,
        content: block.output,
        ...(block.is_error ? { is_error: true } : {}),
      };
    case "thinking":
      if (block.redacted !== undefined) return { type: "redacted_thinking", data: block.redacted };
      if (!block.signature) return undefined;
      return { type: "thinking", thinking: block.thinking, signature: block.signature };
    case "image":
      return {
        type: "image",
        source: { type: "base64", media_type: block.media_type as "image/png", data: block.data },
      };
  }
}

/** The API wants roles to alternate, and a message's tool results before its other blocks. */
function toWireMessages(messages: readonly LlmMessage[]): WireMessage[] {
  const wire: WireMessage[] = [];
  for (const message of messages) {
    const content = message.content.map(toWireBlock).filter((block) => block !== undefined);
    if (content.length === 0) continue;
    const last = wire.at(-1);
    if (last?.role === message.role) last.content.push(...content);
    else wire.push({ role: message.role, content });
  }
  for (const message of wire) {
    if (message.role === "user") message.content.sort((a, b) => rank(a) - rank(b));
  }
  return wire;
}

function rank(block: WireBlock): number {
  return block.type === "tool_result" ? 0 : 1;
}

function thinkingOf(
  request: LlmRequest,
): Pick<Anthropic.MessageCreateParams, "max_tokens" | "thinking"> {
  if (!request.thinking_budget) return { max_tokens: request.max_tokens };
  const budget = Math.max(minThinkingBudget, request.thinking_budget);
  const room = request.max_tokens > budget ? request.max_tokens : budget + request.max_tokens;
  return { max_tokens: room, thinking: { type: "enabled", budget_tokens: budget } };
}

export function toWireRequest(request: LlmRequest, stream: boolean): Anthropic.MessageCreateParams {
  return {
    model: request.model,
    ...thinkingOf(request),
    messages: toWireMessages(request.messages),
    stream,
    ...(request.system === "" ? {} : { system: request.system }),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toWireTool) }),
  };
}

function toWireTool(tool: LlmRequest["tools"][number]): Anthropic.Tool {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: tool.parameters as Anthropic.Tool.InputSchema,
  };
}
