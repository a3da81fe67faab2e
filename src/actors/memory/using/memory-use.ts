import type { CommittedReader } from "../../../ports/store.ts";
import { recallTable } from "../../../schema/rows/memory-rows.ts";
import { type Message, messageTable } from "../../../schema/rows/session-rows.ts";
import { positionOf } from "../../../schema/position.ts";
import { memoriesShown } from "../../../tools/shown-memory.ts";

/** What a run has had to do with memory so far, from its committed rows. */

export type MemoryUse = {
  /** What it was reminded of, and what it found: texts that stand in files of memory. What was only said in a past task does not. */
  readonly told: readonly string[];
  /** Its writes before the present call, but for those that were refused or failed. */
  readonly writes: number;
};

type Of = { readonly session_id: string; readonly run_id: string; readonly run_seq: number };

/** @param call the model's id of the present call, the newest of that name */
export async function memoryUseOf(
  read: CommittedReader,
  { session_id, run_id, run_seq }: Of,
  call: string,
): Promise<MemoryUse> {
  const recalled = await read.get(recallTable, run_id);
  const from = positionOf(run_seq);
  const rows = await read.select(messageTable, {
    index: "by_session",
    equals: [session_id],
    from,
  });
  const ofRun = rows.filter((row) => row.run_id === run_id);
  const { found, writes } = callsIn(ofRun, call);
  const reminded = (recalled?.hits ?? []).filter(({ kind }) => kind === "memory");
  return { told: [...reminded.map(({ text }) => text), ...found], writes };
}

/** Ids of calls may come again in later rounds: a result belongs to the newest call before it. */
function callsIn(rows: readonly Message[], present: string) {
  const calls: { readonly id: string; readonly name: string; isVoid: boolean }[] = [];
  const found: string[] = [];
  for (const block of rows.flatMap(({ content }) => content)) {
    if (block.type === "tool_use") calls.push({ id: block.id, name: block.name, isVoid: false });
    if (block.type !== "tool_result") continue;
    const call = calls.findLast(({ id }) => id === block.tool_call_id);
    if (call === undefined) continue;
    call.isVoid = block.is_error;
    if (call.name === "memory_search" && !block.is_error) found.push(memoriesShown(block.output));
  }
  const now = calls.findLastIndex(({ id }) => id === present);
  const before = calls.slice(0, Math.max(0, now));
  return {
    found,
    writes: before.filter((call) => call.name === "memory_write" && !call.isVoid).length,
  };
}
