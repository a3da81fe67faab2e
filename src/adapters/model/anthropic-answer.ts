import type Anthropic from "@anthropic-ai/sdk";
import type { ModelDelta } from "../../ports/model.ts";
import { AgentError } from "../../schema/errors.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { ContentBlock, LlmResponse, StopReason, ToolDef, Usage } from "../../schema/llm.ts";
import { errorOfType } from "./anthropic-errors.ts";
import { badAnswer, checkToolUse } from "./tool-input.ts";

/** Gathers an Anthropic answer, from events or whole. Deltas pass straight through; only the finished answer is checked. */

type ToolDraft = {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  json: string;
};
type Draft =
  | { readonly type: "text"; text: string }
  | { readonly type: "thinking"; thinking: string; signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | ToolDraft
  | { readonly type: "other" };

type ErrorEvent = {
  readonly type: "error";
  readonly error?: { readonly type?: string; readonly message?: string };
};
type AnswerEvent = Anthropic.RawMessageStreamEvent | ErrorEvent;

export type AnswerInProgress = {
  readonly onDelta: ((delta: ModelDelta) => void) | undefined;
  readonly drafts: Draft[];
  readonly usage: Map<string, number>;
  stopReason: Anthropic.StopReason | null;
};

export function startAnswer(onDelta: AnswerInProgress["onDelta"]): AnswerInProgress {
  return { onDelta, drafts: [], usage: new Map(), stopReason: null };
}

/** Takes one event; true when it was the last. */
export function takeEvent(answer: AnswerInProgress, data: string): boolean {
  return understood(() => apply(answer, parse(data) as AnswerEvent));
}

export function takeWhole(answer: AnswerInProgress, body: unknown): void {
  understood(() => {
    const message = body as Anthropic.Message;
    for (const [index, block] of message.content.entries()) openBlock(answer, index, block);
    answer.stopReason = message.stop_reason;
    count(answer, message.usage);
  });
}

export function finishAnswer(answer: AnswerInProgress, offered: readonly ToolDef[]): LlmResponse {
  const drafts = answer.drafts.filter((draft) => !isCutCall(answer, draft));
  const content = drafts
    .map((draft) => toBlock(draft, offered))
    .filter((block) => block !== undefined);
  const ids = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  if (new Set(ids).size !== ids.length)
    throw badAnswer("Two tool calls in the model's answer have the same id.");
  return { content, ...usageOf(answer), stop_reason: stopReasonOf(answer.stopReason, content) };
}

/** What the provider has counted so far. */
export function usageOf({ usage }: AnswerInProgress): Usage {
  const tokens = (key: string) => usage.get(key) ?? 0;
  const cache_read_tokens = tokens("cache_read_input_tokens");
  const cache_write_tokens = tokens("cache_creation_input_tokens");
  return {
    input_tokens: tokens("input_tokens") + cache_read_tokens + cache_write_tokens,
    output_tokens: tokens("output_tokens"),
    cache_read_tokens,
    cache_write_tokens,
  };
}

function apply(answer: AnswerInProgress, event: AnswerEvent): boolean {
  switch (event.type) {
    case "content_block_delta":
      growBlock(answer, answer.drafts[event.index], event.delta);
      return false;
    case "content_block_start":
      openBlock(answer, event.index, event.content_block);
      return false;
    case "message_start":
      count(answer, event.message.usage);
      return false;
    case "message_delta":
      answer.stopReason = event.delta.stop_reason ?? answer.stopReason;
      count(answer, event.usage);
      return false;
    case "error":
      throw errorOfType(event.error?.type, event.error?.message);
    default:
      return event.type === "message_stop";
  }
}

function startDraft(block: Anthropic.ContentBlock): Draft {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text ?? "" };
    case "thinking":
      return { type: "thinking", thinking: block.thinking ?? "", signature: block.signature ?? "" };
    case "redacted_thinking":
      return { type: "redacted_thinking", data: block.data };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: block.input, json: "" };
    default:
      return { type: "other" };
  }
}

function openBlock(answer: AnswerInProgress, index: number, block: Anthropic.ContentBlock): void {
  const draft = startDraft(block);
  answer.drafts[index] = draft;
  if (draft.type === "text" && draft.text !== "")
    answer.onDelta?.({ type: "text", text: draft.text });
  if (draft.type === "thinking" && draft.thinking !== "")
    answer.onDelta?.({ type: "thinking", text: draft.thinking });
}

function growBlock(
  answer: AnswerInProgress,
  draft: Draft | undefined,
  delta: Anthropic.RawContentBlockDelta,
): void {
  if (draft === undefined) throw badAnswer("The provider continued a block that it had not begun.");
  if (draft.type === "text" && delta.type === "text_delta") {
    draft.text += delta.text;
    answer.onDelta?.({ type: "text", text: delta.text });
  } else if (draft.type === "tool_use" && delta.type === "input_json_delta") {
    draft.json += delta.partial_json;
  } else if (draft.type === "thinking" && delta.type === "thinking_delta") {
    draft.thinking += delta.thinking;
    answer.onDelta?.({ type: "thinking", text: delta.thinking });
  } else if (draft.type === "thinking" && delta.type === "signature_delta") {
    draft.signature = delta.signature;
  }
}

/** Later counts replace earlier ones: the API's are cumulative. */
function count(answer: AnswerInProgress, usage: object | undefined): void {
  for (const [key, value] of Object.entries(usage ?? {})) {
    if (Number.isSafeInteger(value) && value >= 0) answer.usage.set(key, value);
  }
}

/** A call whose input the token limit cut off cannot be run; it is dropped, and the stop reason says why. */
function isCutCall(answer: AnswerInProgress, draft: Draft): boolean {
  if (
    answer.stopReason !== "max_tokens" ||
    draft.type !== "tool_use" ||
    draft !== answer.drafts.at(-1)
  )
    return false;
  try {
    return draft.json !== "" && JSON.parse(draft.json) === undefined;
  } catch {
    return true;
  }
}

function toBlock(draft: Draft, offered: readonly ToolDef[]): ContentBlock | undefined {
  switch (draft.type) {
    case "text":
      return draft.text === "" ? undefined : draft;
    case "thinking":
      return {
        type: "thinking",
        thinking: draft.thinking,
        ...(draft.signature === "" ? {} : { signature: draft.signature }),
      };
    case "redacted_thinking":
      return { type: "thinking", thinking: "", redacted: draft.data };
    case "tool_use":
      return checkToolUse(
        { type: "tool_use", id: draft.id, name: draft.name, input: inputOf(draft) },
        offered,
      );
    case "other":
      return undefined;
  }
}

function inputOf(draft: ToolDraft): JsonObject {
  return (draft.json.trim() === "" ? (draft.input ?? {}) : parse(draft.json)) as JsonObject;
}

function stopReasonOf(
  reason: Anthropic.StopReason | null,
  content: readonly ContentBlock[],
): StopReason {
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "max_tokens";
  if (reason === "refusal") return "refusal";
  return content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw badAnswer("The provider's answer is not JSON.");
  }
}

function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof AgentError) throw error;
    throw badAnswer("The provider's answer does not have the shape of the Messages API.");
  }
}
