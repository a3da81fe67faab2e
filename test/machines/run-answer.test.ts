import { expect, it } from "vitest";
import { answerContent, replyOf } from "../../src/machines/run/run-answer.ts";
import type { CallModelOutput } from "../../src/schema/activities.ts";
import { type ContentBlock, noUsage } from "../../src/schema/llm.ts";

const output = (
  content: readonly ContentBlock[],
  stop_reason: CallModelOutput["stop_reason"] = "end_turn",
): CallModelOutput => ({
  content,
  stop_reason,
  usage: noUsage,
  model: "m/1",
});
const call: ContentBlock = { type: "tool_use", id: "c1", name: "file_read", input: {} };
const thought: ContentBlock = { type: "thinking", thinking: "Hm.", signature: "sig" };

it("gives a finished answer as it is", () => {
  const said = output([thought, { type: "text", text: "Hello." }]);
  expect(answerContent(said)).toEqual(said.content);
  expect(replyOf(said)).toBe("Hello.");
});

it("says that an answer was cut off", () => {
  const said = output([{ type: "text", text: "Once upon" }], "max_tokens");
  expect(replyOf(said)).toBe(
    "Once upon\n\n[The answer was cut off: it reached the model's limit of tokens.]",
  );
});

it("says so too when nothing came before the cut", () => {
  expect(replyOf(output([thought], "max_tokens"))).toBe(
    "[The answer was cut off: it reached the model's limit of tokens.]",
  );
});

it.each([[[]], [[thought]], [[{ type: "text", text: " \n" } as const]]])(
  "never gives an empty answer",
  (content) => {
    expect(replyOf(output(content))).toContain("[The model ended its turn without a word.]");
  },
);

it("adds no words to an answer that calls tools", () => {
  expect(answerContent(output([thought, call], "max_tokens"))).toEqual([thought, call]);
});
