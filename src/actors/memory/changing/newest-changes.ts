import type { CommittedReader } from "../../../ports/store.ts";
import { type MemoryChangeRow, memoryChangeTable } from "../../../schema/rows/memory-rows.ts";

/** What came before these is not asked about. */
const mostLookedAt = 200;

/** Of a file, newest first. */
export function newestChangesOf(
  read: CommittedReader,
  path: string,
): Promise<readonly MemoryChangeRow[]> {
  const query = { index: "by_path", equals: [path], descending: true, limit: mostLookedAt };
  return read.select(memoryChangeTable, query);
}
