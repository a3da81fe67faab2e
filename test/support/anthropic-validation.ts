/** What the Anthropic Messages API refuses in a request body, with the API's own words. */

export type WireBlock = { readonly type: string; readonly [key: string]: unknown };
export type WireMessage = { readonly role: string; readonly content: readonly WireBlock[] };
export type WireRequest = {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream: boolean;
  readonly system?: unknown;
  readonly messages: readonly WireMessage[];
  readonly tools: readonly { readonly name: string; readonly input_schema: unknown }[];
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
};

const toolName = /^[a-zA-Z0-9_-]{1,128}$/;

function blocksOf(content: unknown): readonly WireBlock[] | undefined {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return undefined;
  return content as readonly WireBlock[];
}

export function parseWireRequest(body: unknown): WireRequest {
  const raw = (body ?? {}) as Record<string, unknown>;
  const messages = Array.isArray(raw["messages"])
    ? (raw["messages"] as Record<string, unknown>[])
    : [];
  return {
    model: typeof raw["model"] === "string" ? raw["model"] : "",
    max_tokens: Number(raw["max_tokens"] ?? Number.NaN),
    stream: raw["stream"] === true,
    system: raw["system"],
    messages: messages.map((message) => ({
      role: String(message["role"]),
      content: blocksOf(message["content"]) ?? [],
    })),
    tools: (raw["tools"] ?? []) as WireRequest["tools"],
    ...(raw["thinking"] === undefined
      ? {}
      : { thinking: raw["thinking"] as NonNullable<WireRequest["thinking"]> }),
  };
}

function faultInTools(request: WireRequest): string | undefined {
  const seen = new Set<string>();
  for (const [index, tool] of request.tools.entries()) {
    if (!toolName.test(tool.name)) {
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    }
    if (seen.has(tool.name)) return "tools: Tool names must be unique.";
    seen.add(tool.name);
    if ((tool.input_schema as { type?: unknown } | undefined)?.type !== "object") {
      return `tools.${index}.custom.input_schema.type: Input should be 'object'`;
    }
  }
  return undefined;
}

const withoutBudget = /^claude-[a-z]+-(?:[5-9]|4-[789])/;

/** What the API says of cache_control: four at most, and never on a thought. */
function faultInCaching(request: WireRequest): string | undefined {
  const blocks = [
    ...(Array.isArray(request.system) ? (request.system as WireBlock[]) : []),
    ...(request.tools as unknown as WireBlock[]),
    ...request.messages.flatMap(({ content }) => content),
  ];
  const marked = blocks.filter((block) => block["cache_control"] !== undefined);
  if (marked.length > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`;
  const wrong = marked.find(({ type }) => type === "thinking" || type === "redacted_thinking");
  return wrong && `${wrong.type}.cache_control: Extra inputs are not permitted`;
}

function faultInThinking(request: WireRequest): string | undefined {
  if (request.thinking?.type === "enabled" && withoutBudget.test(request.model)) {
    return '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
  }
  if (request.thinking?.type !== "enabled") return undefined;
  const budget = request.thinking.budget_tokens ?? 0;
  if (budget < 1024)
    return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
  if (budget >= request.max_tokens)
    return "`max_tokens` must be greater than `thinking.budget_tokens`.";
  return undefined;
}

const onlyRole: Readonly<Record<string, string>> = {
  thinking: "assistant",
  redacted_thinking: "assistant",
  tool_use: "assistant",
  tool_result: "user",
  image: "user",
};

const requiredField: Readonly<Record<string, string>> = {
  text: "text",
  thinking: "signature",
  redacted_thinking: "data",
  tool_use: "name",
  tool_result: "tool_use_id",
  image: "source",
};

function faultInBlock(where: string, role: string, block: WireBlock): string | undefined {
  const required = requiredField[block.type];
  if (required === undefined)
    return `${where}: Input tag '${block.type}' does not match any of the expected tags`;
  const only = onlyRole[block.type] ?? role;
  if (only !== role)
    return `${where}: \`${block.type}\` blocks can only be in \`${only}\` messages`;
  const value = block[required];
  if (value === undefined || value === "")
    return `${where}.${block.type}.${required}: Field required and non-empty`;
  return undefined;
}

function idsOf(message: WireMessage | undefined, type: string, key: string): readonly string[] {
  return (message?.content ?? [])
    .filter((block) => block.type === type)
    .map((block) => String(block[key]));
}

function faultInPairs(messages: readonly WireMessage[], index: number): string | undefined {
  const asked = idsOf(messages[index], "tool_use", "id");
  const answered = idsOf(messages[index + 1], "tool_result", "tool_use_id");
  if (new Set(asked).size !== asked.length) return "messages: `tool_use` ids must be unique";
  const missing = asked.filter((id) => !answered.includes(id));
  if (missing.length > 0) {
    return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}.`;
  }
  const results = idsOf(messages[index], "tool_result", "tool_use_id");
  const before = idsOf(messages[index - 1], "tool_use", "id");
  const stray = results.find((id) => !before.includes(id));
  if (stray !== undefined)
    return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}.`;
  const firstOther =
    messages[index]?.content.findIndex((block) => block.type !== "tool_result") ?? -1;
  const lastResult =
    messages[index]?.content.findLastIndex((block) => block.type === "tool_result") ?? -1;
  return firstOther >= 0 && firstOther < lastResult
    ? `messages.${index}: \`tool_result\` blocks must come first`
    : undefined;
}

function faultInMessages(messages: readonly WireMessage[]): string | undefined {
  if (messages.length === 0) return "messages: at least one message is required";
  for (const [index, message] of messages.entries()) {
    const expected = index % 2 === 0 ? "user" : "assistant";
    if (message.role !== expected) {
      return `messages: roles must alternate between "user" and "assistant", but messages.${index} is "${message.role}"`;
    }
    if (message.content.length === 0)
      return `messages.${index}: all messages must have non-empty content`;
    for (const [place, block] of message.content.entries()) {
      const fault = faultInBlock(`messages.${index}.content.${place}`, message.role, block);
      if (fault !== undefined) return fault;
    }
    const unpaired = faultInPairs(messages, index);
    if (unpaired !== undefined) return unpaired;
  }
  return undefined;
}

/** The message of the 400 that the API would send, or nothing when it would accept the request. */
export function faultInRequest(request: WireRequest): string | undefined {
  if (request.model === "") return "model: Field required";
  if (!Number.isInteger(request.max_tokens)) return "max_tokens: Field required";
  if (request.max_tokens < 1) return "max_tokens: must be greater than or equal to 1";
  return (
    faultInTools(request) ??
    faultInCaching(request) ??
    faultInThinking(request) ??
    faultInMessages(request.messages)
  );
}
