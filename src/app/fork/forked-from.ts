import type { CommittedReader } from "../../ports/store.ts";
import { auditTable } from "../../schema/rows/audit-rows.ts";
import type { Results } from "../../schema/socket/protocol.ts";
import { runTable } from "../../schema/rows/run-rows.ts";
import { forkedStatus } from "./foundation.ts";

/** Where a session was forked from, as the audit of its first run has it; null where it began anew. */
export async function forkedFrom(
  read: CommittedReader,
  session_id: string,
): Promise<Results["sessions.show"]["forked_from"]> {
  const ofSession = { index: "by_session", equals: [session_id], limit: 1 };
  const [first] = await read.select(runTable, ofSession);
  if (first === undefined) return null;
  const ofRun = { index: "by_run", equals: [first.run_id], limit: 1 };
  const [fork] = await read.select(auditTable, ofRun);
  if (fork?.status !== forkedStatus) return null;
  const { run_id, at } = fork.input as { readonly run_id: string; readonly at: number };
  return { run_id, at };
}
