import type { SettledAttempt } from "../../engine/activity-kind.ts";
import type { RowReader, RowWriter } from "../../ports/store.ts";
import type { CallModelInput, CallModelOutput } from "../../schema/activities.ts";
import { recallTable } from "../../schema/memory-rows.ts";

/** Keeps what a model call was reminded of, once it has answered: the run's next ones are shown the same. */
export function recordRecall(
  store: RowReader & RowWriter,
  { input: { run_id, session_id }, settlement, at }: SettledAttempt<CallModelInput>,
): void {
  if (!settlement.ok) return;
  const { recalled } = settlement.output as unknown as CallModelOutput;
  if (recalled === undefined || store.get(recallTable, run_id) !== undefined) return;
  store.put(recallTable, { run_id, session_id, at, hits: recalled.hits });
}
