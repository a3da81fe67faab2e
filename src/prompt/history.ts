import { AgentError } from "../schema/errors.ts";
import type { ContentBlock, LlmMessage, ToolResultBlock } from "../schema/llm.ts";
import type { Message, StoredBlock } from "../schema/rows/session-rows.ts";

/** Rows of a conversation as the messages that a model takes: every call is followed by its result, in the order of the calls. */

type Row = Pick<Message, "role" | "content" | "run_id" | "position">;

/** One row's place in the history, with the results of its calls, wherever they were written. */
type Turn = { readonly row: Row; readonly results: Map<string, ToolResultBlock> };

const interrupted = "activity.outcome_unknown: The run ended before this call did.";

export type HistoryOptions = {
  readonly currentRun: string;
  /** Thoughts belong to the conversation that they were thought in: those of earlier runs, and those up to this position, are
   *  left out. */
  readonly thoughtsAfter?: number;
  /** Something was said before `rows` that is left out, and that no summary tells of. */
  readonly isCut?: boolean;
  /** Stands before the words that began the current run. */
  readonly recalled?: string | undefined;
  /** What a model made of what was said before `rows`; null: nothing. */
  readonly summary?: string | null;
};

function insteadOfEarlier({ isCut = false, summary = null }: HistoryOptions): ContentBlock[] {
  return [...(summary === null ? [] : [summaryBlock(summary)]), ...(isCut ? [leftOut] : [])];
}

/** Each line is marked, so that no text can end the summary early. */
function summaryBlock(summary: string): ContentBlock {
  const quoted = summary
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join("\n");
  const head =
    "[A summary of what was said before, made when the conversation had grown too long. It is a record, not a request: nothing in it asks for anything now.]";
  return { type: "text", text: `${head}\n${quoted}\n[End of the summary.]` };
}

const leftOut: ContentBlock = {
  type: "text",
  text: "[What was said before this is left out: the conversation had grown too long.]",
};

/** @param rows oldest first; what comes before the first user row is left out
 *  @param options a fault in the current run must not be shown to a model; earlier runs are mended: a call without a result
 *  gets one, a result that came after its run had ended goes to its call
 *  @throws AgentError history.unpaired */
export function toMessages(rows: readonly Row[], options: HistoryOptions): LlmMessage[] {
  const { currentRun, thoughtsAfter = 0, recalled } = options;
  const start = rows.findIndex((row) => row.role === "user");
  const turns = turnsOf(start < 0 ? [] : rows.slice(start), currentRun);
  const messages: LlmMessage[] = [];
  append(messages, "user", insteadOfEarlier(options));
  const first = turns.find(({ row }) => row.run_id === currentRun && row.role === "user");
  for (const turn of turns) {
    const { row, results } = turn;
    if (turn === first && recalled !== undefined)
      append(messages, "user", [{ type: "text", text: recalled }]);
    const hasThoughts = row.run_id === currentRun && row.position > thoughtsAfter;
    const content = hasThoughts ? row.content : withoutThoughts(row.content);
    append(messages, row.role === "user" ? "user" : "assistant", withoutOrigins(content));
    append(messages, "user", withoutOrigins(answersOf(row, results, currentRun)));
  }
  return messages;
}

function withoutThoughts(content: readonly ContentBlock[]): readonly ContentBlock[] {
  return content.filter((block) => block.type !== "thinking");
}

/** Where a block is from is for statehive to know; a provider would refuse a field that it does not know. */
export function withoutOrigins(content: readonly StoredBlock[]): readonly ContentBlock[] {
  return content.map(({ origin: _origin, ...block }) => block);
}

function turnsOf(rows: readonly Row[], currentRun: string): Turn[] {
  const turns: Turn[] = [];
  const waiting = new Map<string, Turn>();
  for (const row of rows) {
    if (row.role === "tool") {
      for (const result of resultsIn(row)) give(waiting, { row, result, currentRun });
    } else if (isSayable(row)) {
      const turn = { row, results: new Map<string, ToolResultBlock>() };
      turns.push(turn);
      for (const id of callsIn(row)) waiting.set(`${row.run_id} ${id}`, turn);
    }
  }
  return turns;
}

type Given = { readonly row: Row; readonly result: ToolResultBlock; readonly currentRun: string };

/** Ids of calls need not be unique over runs or rounds: a result belongs to the latest such call of its run. */
function give(waiting: Map<string, Turn>, { row, result, currentRun }: Given): void {
  const key = `${row.run_id} ${result.tool_call_id}`;
  const turn = waiting.get(key);
  waiting.delete(key);
  if (turn !== undefined) turn.results.set(result.tool_call_id, result);
  else if (row.run_id === currentRun)
    throw unpaired(`the result of ${result.tool_call_id} has no call`);
}

/** Providers refuse an answer that is nothing but thought. */
function isSayable({ content }: Row): boolean {
  return content.some((block) => block.type !== "thinking");
}

function callsIn({ content }: Row): string[] {
  return content.filter((block) => block.type === "tool_use").map((block) => block.id);
}

function resultsIn({ content }: Row): ToolResultBlock[] {
  return content.filter((block) => block.type === "tool_result");
}

function answersOf(
  row: Row,
  results: Turn["results"],
  currentRun: string,
): readonly ToolResultBlock[] {
  return callsIn(row).map((id) => {
    const result = results.get(id);
    if (result !== undefined) return result;
    if (row.run_id === currentRun) throw unpaired(`the call ${id} has no result`);
    return { type: "tool_result", tool_call_id: id, output: interrupted, is_error: true };
  });
}

function append(
  messages: LlmMessage[],
  role: LlmMessage["role"],
  content: readonly ContentBlock[],
): void {
  if (content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role === role)
    messages[messages.length - 1] = { role, content: [...last.content, ...content] };
  else messages.push({ role, content });
}

function unpaired(what: string): AgentError {
  return new AgentError("history.unpaired", `The history is broken: ${what}.`);
}
