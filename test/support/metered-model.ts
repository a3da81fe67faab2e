import type { ModelProvider } from "../../src/ports/model.ts";
import type { ContentBlock, LlmRequest } from "../../src/schema/llm.ts";

/** A model whose answers cost what a test says. */

export type Metered = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Tools that it calls instead of talking. */
  readonly calls?: readonly (readonly [tool: string, input: Record<string, string>])[];
};

export type MeteredModel = {
  readonly provider: ModelProvider;
  /** How often it was asked. */
  readonly asked: () => number;
};

/** @param supportsTools one that calls tools must; it is offered them, which makes its input larger */
export function meteredModel(
  answer: (request: LlmRequest, n: number) => Metered,
  supportsTools = false,
): MeteredModel {
  let asked = 0;
  const provider: ModelProvider = {
    id: "metered",
    defaultModel: "m",
    supportsTools,
    complete: (request) => {
      asked += 1;
      const { calls = [], ...usage } = answer(request, asked);
      const content: ContentBlock[] = calls.map(([name, input], index) => ({
        type: "tool_use",
        id: `call_${asked}_${index}`,
        name,
        input,
      }));
      const text = { type: "text", text: `Answer ${asked}.` } as const;
      return Promise.resolve({
        content: content.length === 0 ? [text] : content,
        stop_reason: content.length === 0 ? "end_turn" : "tool_use",
        ...usage,
      });
    },
  };
  return { provider, asked: () => asked };
}
