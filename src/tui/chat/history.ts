import type { ShownMessage } from "../../schema/socket/protocol.ts";
import { contentBlock, type ToolResultBlock, type ToolUseBlock } from "../../schema/llm.ts";
import { answer, type Call, call, type Entry, said } from "./entry.ts";

/** Stored messages as entries of a transcript, calls with their results. @param agent whose conversation it is */
export function entriesOf(messages: readonly ShownMessage[], agent: string): Entry[] {
  const entries: Entry[] = [];
  const calls = new Map<string, Call>();
  for (const { role, content, run_id } of messages) {
    const before = entries.length;
    for (const { origin: _, ...stored } of content) {
      const block = contentBlock.safeParse(stored).data;
      if (block?.type === "text" && block.text !== "")
        entries.push(role === "user" ? said(block.text) : answer(agent, block.text));
      if (block?.type === "tool_use") entries.push(begun(calls, block));
      if (block?.type === "tool_result") end(calls, block);
    }
    for (const entry of entries.slice(before)) entry.run = run_id;
  }
  return entries;
}

function begun(calls: Map<string, Call>, { id, name: tool, input }: ToolUseBlock): Call {
  const entry = call({ id, tool, input });
  calls.set(id, entry);
  return entry;
}

function end(calls: ReadonlyMap<string, Call>, block: ToolResultBlock): void {
  const { tool_call_id, output, is_error: isError } = block;
  const entry = calls.get(tool_call_id);
  if (entry !== undefined)
    Object.assign(entry, { status: isError ? "failed" : "done", output, isError });
}
