import { beginningOf, endOf } from "../schema/text/cut-text.ts";
import type { ContentBlock } from "../schema/llm.ts";
import type { Message } from "../schema/rows/session-rows.ts";

/** What was said, as data that a model can sum up: a JSON object a line, so that no text can pass for another's. */

type Row = Pick<Message, "role" | "content" | "position">;

export type Digest = {
  readonly text: string;
  /** It tells of the messages before this position. */
  readonly until: number;
};

const longest = { said: 4_000, input: 300, output: 800 };

/** What these found was said or remembered before: it is not to be taken for new. */
const recalling: ReadonlySet<string> = new Set(["memory_search", "session_search"]);

/** The oldest of them, as many as have room.
 *  @param rows oldest first   @param until the position that they end before   @param bytes at least one row is told of */
export function digestOf(rows: readonly Row[], until: number, bytes: number): Digest {
  const lines: string[] = [];
  const calls = new Map<string, string>();
  let left = bytes;
  for (const row of rows) {
    const told = linesOf(row, calls);
    const size = told.reduce((sum, line) => sum + line.length + 1, 0);
    if (lines.length > 0 && size > left) return { text: lines.join("\n"), until: row.position };
    left -= size;
    lines.push(...told);
  }
  return { text: lines.join("\n"), until };
}

/** @param calls the tools of calls by their ids; what this row calls is added */
function linesOf({ role, content }: Row, calls: Map<string, string>): string[] {
  return content.flatMap((block) => {
    const told = toldOf(role, block, calls);
    return told === undefined ? [] : [JSON.stringify(told)];
  });
}

function toldOf(role: Row["role"], block: ContentBlock, calls: Map<string, string>) {
  switch (block.type) {
    case "text":
      return { [role === "user" ? "person" : "agent"]: shortened(block.text, longest.said) };
    case "image":
      return { [role === "user" ? "person" : "agent"]: "[an image]" };
    case "tool_use":
      calls.set(block.id, block.name);
      return { tool: block.name, input: shortened(JSON.stringify(block.input), longest.input) };
    case "tool_result": {
      const tool = calls.get(block.tool_call_id) ?? "";
      if (recalling.has(tool)) return undefined;
      return { result_of: tool, output: shortened(block.output, longest.output) };
    }
    case "thinking":
      return undefined;
  }
}

/** Its beginning and its end. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const part = Math.floor(most / 2);
  return `${beginningOf(text, part)} […] ${endOf(text, part)}`;
}
