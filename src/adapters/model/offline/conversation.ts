import {
  textOf,
  type ContentBlock,
  type LlmMessage,
  type ToolUseBlock,
} from "../../../schema/llm.ts";
import { recallMark } from "../../../schema/memory.ts";
import { withoutQuote } from "../../../text/answered-quote.ts";
import type { Outcome, Round } from "./script.ts";

/** The messages as the offline model needs them: the newest wish, what was done about it, what was done before. */

export type Conversation = {
  readonly wish: string;
  readonly rounds: readonly Round[];
  readonly past: readonly Outcome[];
  /** The number for the next call's id; greater than that of every call in the messages. */
  readonly nextCall: number;
};

const idPattern = /^offline_(\d+)$/;

export function callId(number: number): string {
  return `offline_${number}`;
}

function callsIn(message: LlmMessage | undefined): readonly ToolUseBlock[] {
  return (message?.content ?? []).filter((block) => block.type === "tool_use");
}

function outcomeOf(call: ToolUseBlock, results: readonly ContentBlock[]): Outcome {
  const result = results.find(
    (block) => block.type === "tool_result" && block.tool_call_id === call.id,
  );
  const answer =
    result?.type === "tool_result" ? result : { output: "No result came back.", is_error: true };
  return { tool: call.name, input: call.input, output: answer.output, isError: answer.is_error };
}

function roundsOf(messages: readonly LlmMessage[]): readonly Round[] {
  const rounds: Round[] = [];
  for (const [index, message] of messages.entries()) {
    const calls = message.role === "assistant" ? callsIn(message) : [];
    const results = messages[index + 1]?.content ?? [];
    if (calls.length > 0) rounds.push(calls.map((call) => outcomeOf(call, results)));
  }
  return rounds;
}

/** What the person said: what statehive reminds of beside it, and what it answers, is no wish. */
function saidIn({ content }: LlmMessage): string {
  const told = content.filter(
    (block) => block.type !== "text" || !block.text.startsWith(recallMark),
  );
  return withoutQuote(textOf(told)).trim();
}

export function readConversation(messages: readonly LlmMessage[]): Conversation {
  const wishAt = messages.findLastIndex(
    (message) => message.role === "user" && saidIn(message) !== "",
  );
  const wish = messages[wishAt];
  const numbers = messages
    .flatMap(callsIn)
    .map((call) => Number(idPattern.exec(call.id)?.[1] ?? 0));
  return {
    wish: wish === undefined ? "" : saidIn(wish),
    rounds: roundsOf(messages.slice(wishAt + 1)),
    past: roundsOf(messages.slice(0, wishAt + 1)).flat(),
    nextCall: Math.max(0, ...numbers) + 1,
  };
}
