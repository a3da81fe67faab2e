import type { ModelProvider } from "../../src/ports/model.ts";
import { AgentError } from "../../src/schema/errors.ts";
import type { LlmRequest, LlmResponse } from "../../src/schema/llm.ts";

/** A model that answers when a test says so, and keeps what it was asked. */

export type Asked = {
  readonly request: LlmRequest;
  /** A piece of what it says, before it has said it. */
  writes(text: string): void;
  says(text: string): void;
  calls(name: string, input: Record<string, string>): void;
  fails(error: AgentError): void;
};

export type HeldModel = {
  readonly provider: ModelProvider;
  readonly asked: readonly Asked[];
  /** The next time that it is asked, counted from the last one that was waited for. */
  next(): Promise<Asked>;
};

export function heldModel(): HeldModel {
  const asked: Asked[] = [];
  const waiting: (() => void)[] = [];
  let taken = 0;
  const complete: ModelProvider["complete"] = (request, { signal, onDelta }) =>
    new Promise((resolve, reject) => {
      const answer = (content: LlmResponse["content"], stop_reason: LlmResponse["stop_reason"]) =>
        resolve({ content, stop_reason, input_tokens: 1, output_tokens: 1 });
      signal.addEventListener("abort", () =>
        reject(new AgentError("activity.aborted", "It was told to stop.")),
      );
      asked.push({
        request,
        writes: (text) => onDelta?.({ type: "text", text }),
        says: (text) => answer([{ type: "text", text }], "end_turn"),
        calls: (name, input) =>
          answer([{ type: "tool_use", id: `call_${asked.length}`, name, input }], "tool_use"),
        fails: reject,
      });
      for (const wake of waiting.splice(0)) wake();
    });
  const next = async (): Promise<Asked> => {
    const at = taken;
    taken += 1;
    while (asked[at] === undefined) await new Promise<void>((wake) => void waiting.push(wake));
    return asked[at];
  };
  const provider = { id: "held", defaultModel: "held", supportsTools: true, complete } as const;
  return { provider, asked, next };
}

/** The texts that a request ends with, oldest first: those of its last message. */
export function lastTexts({ messages }: LlmRequest): string[] {
  return (messages.at(-1)?.content ?? []).map((block) =>
    block.type === "text" ? block.text : block.type,
  );
}
