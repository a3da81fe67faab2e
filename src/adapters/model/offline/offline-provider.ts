import type { ModelCall, ModelProvider } from "../../../ports/model.ts";
import { AgentError } from "../../../schema/errors.ts";
import type { ContentBlock, LlmRequest, LlmResponse, StopReason } from "../../../schema/llm.ts";
import { decide } from "./decision.ts";

/** The model that needs no key and no network. Source: docs/decisions/0004-offline-model.md */

const charsPerToken = 4;
const word = /\S+\s*|\s+/g;

function tokensOf(chars: number): number {
  return Math.ceil(chars / charsPerToken);
}

function charsOf(content: readonly ContentBlock[]): number {
  return content.length === 0 ? 0 : JSON.stringify(content).length;
}

function inputChars(request: LlmRequest): number {
  const messages = request.messages.reduce((sum, message) => sum + charsOf(message.content), 0);
  return (
    request.system.length +
    messages +
    (request.tools.length === 0 ? 0 : JSON.stringify(request.tools).length)
  );
}

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new AgentError("activity.aborted", "The call to the offline model was stopped.");
}

function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function stream(text: string, { signal, onDelta }: ModelCall): Promise<void> {
  for (const [piece] of onDelta === undefined ? [] : text.matchAll(word)) {
    await breathe();
    stopIfAborted(signal);
    onDelta?.({ type: "text", text: piece });
  }
}

async function complete(request: LlmRequest, call: ModelCall): Promise<LlmResponse> {
  stopIfAborted(call.signal);
  const decision = decide(request);
  const text = decision.text.slice(0, request.max_tokens * charsPerToken);
  await stream(text, call);
  await breathe();
  stopIfAborted(call.signal);
  const content: ContentBlock[] =
    text === "" ? [...decision.calls] : [{ type: "text", text }, ...decision.calls];
  const finished: StopReason = decision.calls.length > 0 ? "tool_use" : "end_turn";
  return {
    content,
    input_tokens: tokensOf(inputChars(request)),
    output_tokens: tokensOf(text.length + charsOf(decision.calls)),
    stop_reason: text.length < decision.text.length ? "max_tokens" : finished,
  };
}

/** @param id as the configuration names it */
export function createOfflineProvider(id = "offline"): ModelProvider {
  return {
    id,
    defaultModel: "rules",
    supportsTools: true,
    isFree: true,
    followsRules: true,
    complete,
  };
}
