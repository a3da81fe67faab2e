import { AgentError } from "../../../schema/errors.ts";
import type { FileChange } from "../../../schema/memory.ts";
import { type MemoryChangeRow, memoryChangeTable } from "../../../schema/rows/memory-rows.ts";
import { rewriteFile } from "./rewrite-file.ts";
import { keptText } from "./kept-text.ts";
import { newestChangesOf } from "./newest-changes.ts";
import type { UnderWay } from "./under-way.ts";

/** What a change did goes from its file, and what came after it elsewhere stays; or the whole file becomes what it was before. What is
 *  taken back already changes nothing. */
export async function takeBack(
  change: UnderWay,
  { change_id, whole }: Extract<FileChange, { op: "undo" }>,
): Promise<void> {
  const row = await change.read.get(memoryChangeTable, change_id);
  if (row === undefined)
    throw new AgentError("memory.not_found", `There is no change ${change_id}.`);
  const before = await textAt(change, row, "before");
  if (whole) return rewriteFile(change, row.path, () => before);
  const after = await textAt(change, row, "after");
  const isBack = await isTakenBack(change, row);
  await rewriteFile(change, row.path, ({ text }) => {
    if (text === after || text === before) return before;
    if (isBack) return text;
    if (after === null) throw isThereAgain(row);
    const both = { before: before ?? "", after };
    const undone = change.workshop.diff.undo(text ?? "", both);
    if (undone === undefined) throw isTouched(row);
    return undone === "" ? null : undone;
  });
}

function textAt(
  change: UnderWay,
  row: MemoryChangeRow,
  when: "before" | "after",
): Promise<string | null> {
  return keptText(change, row[when], (why) => {
    const isAfter = when === "after";
    const what = `${row.change_id} cannot be taken back${isAfter ? " alone" : ""}`;
    const message = `${what}: what ${row.path} held ${when} it ${why}.`;
    return new AgentError("memory.not_found", message, isAfter ? { hint: hintOf(row) } : {});
  });
}

/** And that was not taken back since. */
async function isTakenBack({ read }: UnderWay, row: MemoryChangeRow): Promise<boolean> {
  const rows = await newestChangesOf(read, row.path);
  const restored = rows.filter(({ kind }) => kind === "restore");
  const isBack = (id: string): boolean => {
    const last = restored.find(({ reason, n }) => reason === id && n > row.n);
    return last !== undefined && !isBack(last.change_id);
  };
  return isBack(row.change_id);
}

function isThereAgain({ change_id, path, before }: MemoryChangeRow): AgentError {
  return new AgentError(
    "memory.changed",
    `${change_id} took ${path} away; it is there again, and holds something else.`,
    { hint: hintOf({ before }) },
  );
}

function isTouched({ change_id, path, before }: MemoryChangeRow): AgentError {
  return new AgentError(
    "memory.changed",
    `Later changes of ${path} touch the same lines as ${change_id}, so it cannot be taken back alone.`,
    { hint: hintOf({ before }) },
  );
}

function hintOf({ before }: Pick<MemoryChangeRow, "before">): string {
  return before === null
    ? "With --whole the file goes: there was none before that change."
    : "With --whole the file becomes what it was before that change.";
}
