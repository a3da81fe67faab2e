import type { WireBlock } from "./anthropic-validation.ts";

/** Server-sent events of the Anthropic Messages API, made from a finished answer. */

type AnswerShape = {
  readonly content: readonly WireBlock[];
  readonly stopReason: string;
  readonly usage: Readonly<Record<string, number>>;
  /** Into how many pieces each text, thought and tool input is cut. */
  readonly deltas: number;
};

export function sseEvent(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function pieces(text: string, count: number): readonly string[] {
  const points = Array.from(text);
  const size = Math.max(1, Math.ceil(points.length / Math.max(1, count)));
  const cut: string[] = [];
  for (let at = 0; at < points.length; at += size) cut.push(points.slice(at, at + size).join(""));
  return cut;
}

function startOf(block: WireBlock): WireBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "tool_use":
      return { ...block, input: {} };
    default:
      return block;
  }
}

function deltasOf(block: WireBlock, count: number): readonly WireBlock[] {
  switch (block.type) {
    case "text":
      return pieces(String(block["text"]), count).map((text) => ({ type: "text_delta", text }));
    case "thinking":
      return [
        ...pieces(String(block["thinking"]), count).map((thinking) => ({
          type: "thinking_delta",
          thinking,
        })),
        { type: "signature_delta", signature: block["signature"] },
      ];
    case "tool_use":
      return ["", ...pieces(inputJson(block), count)].map((partial) => ({
        type: "input_json_delta",
        partial_json: partial,
      }));
    default:
      return [];
  }
}

/** `input_json` lets a script send input that no honest JSON.stringify would make. */
function inputJson(block: WireBlock): string {
  return typeof block["input_json"] === "string"
    ? block["input_json"]
    : JSON.stringify(block["input"]);
}

export function messageBody(
  id: string,
  model: string,
  answer: AnswerShape,
): Record<string, unknown> {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: answer.content,
    stop_reason: answer.stopReason,
    stop_sequence: null,
    usage: answer.usage,
  };
}

export function messageEvents(id: string, model: string, answer: AnswerShape): readonly string[] {
  const { output_tokens: outputTokens = 0, ...inputUsage } = answer.usage;
  const opening = { ...messageBody(id, model, { ...answer, content: [] }), stop_reason: null };
  const events = [
    sseEvent({
      type: "message_start",
      message: { ...opening, usage: { ...inputUsage, output_tokens: 1 } },
    }),
  ];
  for (const [index, block] of answer.content.entries()) {
    events.push(sseEvent({ type: "content_block_start", index, content_block: startOf(block) }));
    if (index === 0) events.push(sseEvent({ type: "ping" }));
    for (const delta of deltasOf(block, answer.deltas))
      events.push(sseEvent({ type: "content_block_delta", index, delta }));
    events.push(sseEvent({ type: "content_block_stop", index }));
  }
  events.push(
    sseEvent({
      type: "message_delta",
      delta: { stop_reason: answer.stopReason, stop_sequence: null },
      usage: { output_tokens: outputTokens },
    }),
    sseEvent({ type: "message_stop" }),
  );
  return events;
}
