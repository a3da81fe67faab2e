import { actorTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { Run } from "../../schema/rows/run-rows.ts";

/** How it ended; while it lives, its actor's state. */
export async function stateOfRun(
  read: CommittedReader,
  { state, address }: Pick<Run, "state" | "address">,
): Promise<string> {
  return state ?? (await read.get(actorTable, address))?.state ?? "unknown";
}
