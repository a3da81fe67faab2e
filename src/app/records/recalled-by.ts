import type { CommittedReader } from "../../ports/store.ts";
import { recallTable } from "../../schema/rows/memory-rows.ts";
import type { ShownMemoryHit } from "../../schema/shown/shown-memory.ts";
import { showHit } from "./shown-memory.ts";

/** What a run was reminded of; no more once it was forgotten, or retention took it. */
export async function recalledBy(
  read: CommittedReader,
  run_id: string,
): Promise<readonly ShownMemoryHit[]> {
  const reminded = await read.get(recallTable, run_id);
  return (reminded?.hits ?? []).map(showHit);
}
