import type { CommittedReader } from "../../ports/store.ts";
import type { ParsedParams } from "../../schema/socket/protocol.ts";
import { type Run, runTable } from "../../schema/rows/run-rows.ts";
import { hasAll } from "../filter.ts";

type Filter = ParsedParams<"runs.list">;

/** The newest first. */
export async function listRuns(
  read: CommittedReader,
  { trace, session, limit }: Filter,
): Promise<Run[]> {
  if (trace === undefined) {
    const index =
      session === undefined ? { index: "by_started" } : { index: "by_session", equals: [session] };
    return read.select(runTable, { ...index, descending: true, limit });
  }
  const query = { index: "by_trace", equals: [trace], descending: true };
  const rows = await read.select(runTable, query);
  return rows.filter((row) => hasAll([[session, row.session_id]])).slice(0, limit);
}
