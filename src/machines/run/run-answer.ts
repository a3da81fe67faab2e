import type { CallModelOutput } from "../../schema/activities.ts";
import { type ContentBlock, textOf } from "../../schema/llm.ts";

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

/** Ends a run that a person asked to stop after its step. */
export const stoppedNote = "I stopped there, as asked.";

export function replyOf(output: CallModelOutput): string {
  return textOf(answerContent(output));
}

/** All that a run answers, in the order in which it was said. */
export function joined(...parts: readonly (string | null)[]): string | null {
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : said.join("\n\n");
}
