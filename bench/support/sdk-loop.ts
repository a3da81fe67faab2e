import Anthropic from "@anthropic-ai/sdk";
import type { Ask } from "./contender-kinds.ts";
import { weather, weatherDefinition } from "./weather.ts";

/** The floor: what a person writes by hand over the SDK, without state, policy or history kept. */
export function createSdkLoop(url: string, streams: boolean): Ask {
  const client = new Anthropic({
    apiKey: "bench",
    baseURL: url,
    maxRetries: 0,
    logLevel: "off",
    openTelemetry: false,
  });
  const { name, description, parameters } = weatherDefinition;
  const input_schema = parameters as Anthropic.Tool.InputSchema;
  const fixed = {
    model: "bench",
    max_tokens: 1000,
    system: "You are a bench.",
    tools: [{ name, description, input_schema }],
  };
  const complete = (messages: Anthropic.MessageParam[], onText: () => void) => {
    if (!streams) return client.messages.create({ ...fixed, messages });
    const stream = client.messages.stream({ ...fixed, messages });
    stream.on("text", onText);
    return stream.finalMessage();
  };
  return async (_session, text, onText) => {
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: text }];
    for (;;) {
      const { content } = await complete(messages, onText);
      messages.push({ role: "assistant", content });
      const calls = content.filter((block) => block.type === "tool_use");
      if (calls.length === 0)
        return content.map((block) => (block.type === "text" ? block.text : "")).join("");
      messages.push({
        role: "user",
        content: calls.map(({ id, input }) => ({
          type: "tool_result" as const,
          tool_use_id: id,
          content: weather(input as { city: string }),
        })),
      });
    }
  };
}
