import { AgentError } from "../schema/errors.ts";
import type { ContentBlock, LlmMessage, ToolResultBlock } from "../schema/llm.ts";
import type { Message } from "../schema/rows.ts";

/** Rows of a conversation as the messages that a model takes: every call is followed by its result, in the order of the calls. */

type Row = Pick<Message, "role" | "content" | "run_id">;

const interrupted = "activity.outcome_unknown: The run ended before this call did.";

/** @param rows oldest first; what comes before the first user row is left out
 *  @param currentRun a call of this run without a result is a fault: it must not be shown to a model
 *  @throws AgentError history.unpaired */
export function toMessages(rows: readonly Row[], currentRun: string): LlmMessage[] {
  const start = rows.findIndex((row) => row.role === "user");
  const messages: LlmMessage[] = [];
  for (let at = Math.max(0, start); at < rows.length; at++) {
    const row = rows[at] as Row;
    if (row.role === "tool") throw unpaired("a result comes before any call");
    append(messages, row.role, row.content);
    const calls = row.content.filter((block) => block.type === "tool_use").map((block) => block.id);
    const results: ToolResultBlock[] = [];
    while (rows[at + 1]?.role === "tool") {
      at += 1;
      results.push(...(rows[at] as Row).content.filter((block) => block.type === "tool_result"));
    }
    const answers = inOrderOfCalls(calls, results, row.run_id === currentRun);
    if (answers.length > 0) append(messages, "user", answers);
  }
  return messages;
}

function append(
  messages: LlmMessage[],
  role: LlmMessage["role"],
  content: readonly ContentBlock[],
): void {
  const last = messages.at(-1);
  if (last?.role === role)
    messages[messages.length - 1] = { role, content: [...last.content, ...content] };
  else messages.push({ role, content });
}

function inOrderOfCalls(
  calls: readonly string[],
  results: readonly ToolResultBlock[],
  isCurrent: boolean,
): ToolResultBlock[] {
  const stray = results.find((result) => !calls.includes(result.tool_call_id));
  if (stray !== undefined) throw unpaired(`the result of ${stray.tool_call_id} has no call`);
  return calls.map((id) => {
    const result = results.find((candidate) => candidate.tool_call_id === id);
    if (result !== undefined) return result;
    if (isCurrent) throw unpaired(`the call ${id} has no result`);
    return { type: "tool_result", tool_call_id: id, output: interrupted, is_error: true };
  });
}

function unpaired(what: string): AgentError {
  return new AgentError("history.unpaired", `The history is broken: ${what}.`);
}
