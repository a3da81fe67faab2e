import { sameness } from "../../../memory/entries/entries.ts";
import { leastOfTask } from "../../../memory/documents/task-document.ts";
import type { CommittedReader, RowReader, RowWriter } from "../../../ports/store.ts";
import type { ForgottenTasks } from "../../../schema/activities.ts";
import { type Run, runTable, taskTable } from "../../../schema/rows/run-rows.ts";
import { forgottenSessionTable } from "../../../schema/rows/session-rows.ts";
import { newestRuns } from "../newest-runs.ts";

/** A past task that says what was forgotten is found no more, and its conversation tells memory nothing more. Their rows stay, with a
 *  mark: the index is made again from them. */

/** @param forgotten texts as `sameness` has them, and `unframed` */
export async function tasksHolding(
  read: CommittedReader,
  forgotten: ReadonlySet<string>,
): Promise<ForgottenTasks> {
  const run_ids: string[] = [];
  let until = 0;
  for await (const run of newestRuns(read)) {
    until = Math.max(until, run.seq);
    if (run.forgotten_at === null && (await mayHold(read, run, forgotten)))
      run_ids.push(run.run_id);
  }
  return { run_ids, until };
}

/** What a run that lives will answer nobody knows. */
async function mayHold(
  read: CommittedReader,
  { state, task_id, reply }: Run,
  forgotten: ReadonlySet<string>,
): Promise<boolean> {
  if (state === null) return true;
  const task = await read.get(taskTable, task_id);
  return [task?.text, reply].some((text) => saysAny(text ?? "", forgotten));
}

function saysAny(text: string, forgotten: ReadonlySet<string>): boolean {
  const said = unframed(sameness(text));
  const isTelling = said.length >= leastOfTask;
  return [...forgotten].some((same) => said.includes(same) || (isTelling && same.includes(said)));
}

/** People end a sentence here with a full stop, and there with none. */
export function unframed(same: string): string {
  return same.replaceAll(/^[\p{P}\s]+|[\p{P}\s]+$/gu, "");
}

/** Nobody has looked at what began since. */
export function forgetTasks(
  store: RowReader & RowWriter,
  { run_ids, until }: ForgottenTasks,
  at: number,
): void {
  const newer = store.select(runTable, { index: "by_started", after: until });
  for (const run_id of [...run_ids, ...newer.map((run) => run.run_id)]) {
    const run = store.get(runTable, run_id);
    if (run === undefined) continue;
    store.patch(runTable, [run_id], { forgotten_at: at });
    store.put(forgottenSessionTable, { session_id: run.session_id, forgotten_at: at });
  }
}
