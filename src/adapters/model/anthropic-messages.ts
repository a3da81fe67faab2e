import type Anthropic from "@anthropic-ai/sdk";
import type { ContentBlock, LlmMessage, LlmRequest, Role } from "../../schema/llm.ts";
import { thinkingOf } from "./anthropic-thinking.ts";

/** statehive's request in the words of the Anthropic Messages API. Text and tool calls are alike in both and not copied. */

type WireBlock = Anthropic.ContentBlockParam;
type WireMessage = { readonly role: Role; readonly content: WireBlock[] };

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

const cached = { cache_control: { type: "ephemeral" } } as const;

/** Prices of a prefix that was read before are a tenth: one mark ends what is the same in every request (the tools come
 *  before the system prompt), one each of the newest two messages of the user's side. The older of these ended the request
 *  before, so that this one finds what that one wrote, however many blocks came since. The API takes four. */
function markPrefixes(messages: readonly WireMessage[]): void {
  const ends = messages.filter(({ role }) => role === "user").slice(-2);
  for (const { content } of ends) {
    const last = content.at(-1);
    if (last !== undefined) content[content.length - 1] = { ...last, ...cached };
  }
}

type WireOptions = {
  readonly stream: boolean;
  /** Without what was thought: for a provider that refused a thought. */
  readonly thoughtless?: boolean;
};

export function toWireRequest(
  request: LlmRequest,
  { stream, thoughtless = false }: WireOptions,
): Anthropic.MessageCreateParams {
  const { model, system } = request;
  const messages = toWireMessages(
    thoughtless ? withoutThoughts(request.messages) : request.messages,
  );
  const thinking = thinkingOf(request, messages);
  markPrefixes(messages);
  const tools = request.tools.map(toWireTool);
  const lastTool = tools.at(-1);
  if (system === "" && lastTool !== undefined) tools[tools.length - 1] = { ...lastTool, ...cached };
  return {
    model,
    ...thinking,
    messages,
    stream,
    ...(system === "" ? {} : { system: [{ type: "text", text: system, ...cached }] }),
    ...(tools.length === 0 ? {} : { tools }),
  };
}

function withoutThoughts(messages: readonly LlmMessage[]): LlmMessage[] {
  return messages.map(({ role, content }) => ({
    role,
    content: content.filter((block) => block.type !== "thinking"),
  }));
}

function toWireTool(tool: LlmRequest["tools"][number]): Anthropic.Tool {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: tool.parameters as Anthropic.Tool.InputSchema,
  };
}
