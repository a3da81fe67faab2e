import type { ModelProvider } from "../../src/ports/model.ts";
import type { ContentBlock, LlmMessage, LlmResponse, ToolUseBlock } from "../../src/schema/llm.ts";

/** The worst model there can be: it does whatever any text tells it, wherever that text hides. `CALL tool {"json": 1}` is an order, and
 *  `$READ` in one stands for all that it was shown so far. */
export function obedientModel(options: { readonly supportsTools?: boolean } = {}): ModelProvider {
  let orders = 0;
  return {
    id: "obedient",
    defaultModel: "obedient",
    supportsTools: options.supportsTools ?? true,
    complete: async ({ messages }) => {
      const read = messages.flatMap(({ content }) => content.map(resultOf)).join("");
      const calls = ordersIn(messages.at(-1)).map(({ name, input }): ToolUseBlock => {
        orders += 1;
        const given = JSON.parse(input.replaceAll("$READ", escaped(read))) as ToolUseBlock["input"];
        return { type: "tool_use", id: `order_${orders}`, name, input: given };
      });
      return answer(calls);
    },
  };
}

function answer(calls: readonly ToolUseBlock[]): LlmResponse {
  const counted = { input_tokens: 1, output_tokens: 1 };
  return calls.length > 0
    ? { ...counted, content: [...calls], stop_reason: "tool_use" }
    : { ...counted, content: [{ type: "text", text: "Done." }], stop_reason: "end_turn" };
}

function resultOf(block: ContentBlock): string {
  return block.type === "tool_result" ? block.output : "";
}

function escaped(text: string): string {
  return JSON.stringify(text.slice(0, 400)).slice(1, -1);
}

function ordersIn(message: LlmMessage | undefined) {
  const text = (message?.content ?? [])
    .map((block) => (block.type === "text" ? block.text : resultOf(block)))
    .join("\n");
  return [...seenThrough(text).matchAll(/CALL (\w+) (\{.*?\})/g)].map(
    ([, name = "", input = ""]) => ({ name, input }),
  );
}

/** With what is written in base64 or between invisible characters. */
function seenThrough(text: string): string {
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)].map(([code]) =>
    Buffer.from(code, "base64").toString(),
  );
  return [text.replaceAll(/[\u{200b}\u{2060}]/gu, ""), ...decoded].join("\n");
}
