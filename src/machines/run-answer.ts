import type { CallModelOutput } from "../schema/activities.ts";
import { type ContentBlock, textOf } from "../schema/llm.ts";

/** A model's answer without tool calls, as people get it: never nothing, and a cut one says so. */

const cutNote = "[The answer was cut off: it reached the model's limit of tokens.]";
const emptyNote = "[The model ended its turn without a word.]";

/** What is stored as the answer: the model's blocks, and what has to be said about them. */
export function answerContent({ content, stop_reason }: CallModelOutput): readonly ContentBlock[] {
  const calls = content.some((block) => block.type === "tool_use");
  if (calls) return content;
  const text = textOf(content).trim();
  if (stop_reason === "max_tokens") {
    return [...content, { type: "text", text: text === "" ? cutNote : `\n\n${cutNote}` }];
  }
  return text === "" ? [...content, { type: "text", text: emptyNote }] : content;
}

export function replyOf(output: CallModelOutput): string {
  return textOf(answerContent(output));
}
