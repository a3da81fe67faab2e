import type { SettledAttempt } from "../../../engine/activities/activity-kind.ts";
import type { RowReader, RowWriter } from "../../../ports/store.ts";
import type { CallModelInput, CallModelOutput } from "../../../schema/activities.ts";
import { memoryChangeTable, recallTable } from "../../../schema/rows/memory-rows.ts";
import { runTable } from "../../../schema/rows/run-rows.ts";

/** Keeps what a model call was reminded of, once it has answered: the run's next ones are shown the same. What was found then may have
 *  been forgotten meanwhile. */
export function recordRecall(
  store: RowReader & RowWriter,
  { input: { run_id, session_id }, settlement, at }: SettledAttempt<CallModelInput>,
): void {
  if (!settlement.ok) return;
  const { recalled } = settlement.output as unknown as CallModelOutput;
  if (recalled === undefined || store.get(recallTable, run_id) !== undefined) return;
  const began = store.get(runTable, run_id)?.started_at ?? at;
  const hits = wasForgettingSince(store, began) ? [] : recalled.hits;
  store.put(recallTable, { run_id, session_id, at, hits });
}

function wasForgettingSince(store: RowReader, from: number): boolean {
  const changes = store.select(memoryChangeTable, { index: "by_at", from });
  return changes.some(({ kind }) => kind === "forget");
}
