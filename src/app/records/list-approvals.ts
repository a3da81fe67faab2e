import type { CommittedReader } from "../../ports/store.ts";
import { type Approval, approvalStates, approvalTable } from "../../schema/rows/permission-rows.ts";
import type { ParsedParams } from "../../schema/socket/protocol.ts";
import { runTable } from "../../schema/rows/run-rows.ts";
import { hasAll } from "../filter.ts";

type Filter = ParsedParams<"approvals.list">;

/** Those that wait, oldest first; with `all`, every one, newest first. */
export async function listApprovals(read: CommittedReader, filter: Filter): Promise<Approval[]> {
  const { all, trace, session, limit } = filter;
  if (trace !== undefined || session !== undefined) return listOfSessions(read, filter);
  const query = all
    ? { index: "by_created", descending: true, limit }
    : { index: "by_state", equals: ["pending"], limit };
  return read.select(approvalTable, query);
}

async function listOfSessions(read: CommittedReader, filter: Filter): Promise<Approval[]> {
  const { all, trace, session, limit } = filter;
  const sessions = session === undefined ? await sessionsOfTrace(read, trace ?? "") : [session];
  const states = all ? approvalStates : (["pending"] as const);
  const queries = sessions.flatMap((id) =>
    states.map((state) => ({ index: "by_session", equals: [id, state] })),
  );
  const found = await Promise.all(queries.map((query) => read.select(approvalTable, query)));
  const rows = found
    .flat()
    .filter((row) => hasAll([[trace, row.trace_id]]))
    .toSorted((a, b) => a.created_at - b.created_at);
  return (all ? rows.toReversed() : rows).slice(0, limit);
}

/** Approvals are found by their session, and a trace is found by its runs. */
async function sessionsOfTrace(read: CommittedReader, trace: string): Promise<string[]> {
  const runs = await read.select(runTable, { index: "by_trace", equals: [trace] });
  return [...new Set(runs.map(({ session_id }) => session_id))];
}
