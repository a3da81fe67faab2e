import { taskPath } from "../../../memory/documents/task-document.ts";
import type { CommittedReader } from "../../../ports/store.ts";
import { runTable } from "../../../schema/rows/run-rows.ts";
import type { Message } from "../../../schema/rows/session-rows.ts";

/** The past tasks whose turns a model is shown as what was said: to be reminded of them would be to read them twice.
 *  @param rows what it is shown of the conversation  @returns their paths in the index */
export async function tasksInView(
  read: CommittedReader,
  rows: readonly Pick<Message, "run_id">[],
): Promise<readonly string[]> {
  const ids = [...new Set(rows.map(({ run_id }) => run_id))];
  const runs = await Promise.all(ids.map((id) => read.get(runTable, id)));
  return runs.flatMap((run) => (run === undefined ? [] : [taskPath(run.task_id)]));
}
