import type { CommittedReader } from "../../ports/store.ts";
import { type Run, runTable } from "../../schema/rows/run-rows.ts";

/** So many past tasks can be found. */
export const mostTasks = 2_000;

const rowsAtOnce = 200;

export async function* newestRuns(
  read: CommittedReader,
  most = mostTasks,
): AsyncGenerator<Run, void> {
  let before = Number.MAX_SAFE_INTEGER;
  for (let left = most; left > 0; left -= rowsAtOnce) {
    const limit = Math.min(left, rowsAtOnce);
    const newest = { index: "by_started", descending: true, before, limit };
    const runs = await read.select(runTable, newest);
    yield* runs;
    if (runs.length < limit) return;
    before = runs.at(-1)?.seq ?? 0;
  }
}
