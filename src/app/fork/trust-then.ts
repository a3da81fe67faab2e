import { type JournalRow, journalTable } from "../../engine/tables.ts";
import { fromBefore, unknownFrom, withOrigins } from "../../policy/origins.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { CallModelOutput } from "../../schema/activities.ts";
import { noTrust, type Trust, trust } from "../../schema/contexts/trust.ts";
import type { Run } from "../../schema/rows/run-rows.ts";
import type { Carried } from "./carried.ts";

/** Where that came from which a run knew after a step: what it began with, and what memory and the results brought that it had by then. A
 *  result is committed before its run hears of it, by the step that is the cause of that event. */
export async function trustThen(
  read: CommittedReader,
  run: Run,
  { at, carried }: { readonly at: number; readonly carried: Carried },
): Promise<Trust> {
  const heard = await callsHeardOf(read, run, at);
  const begun = await begunWith(read, run);
  const known = [...heard.values()].reduce((all, brings) => withOrigins(all, brings), begun);
  const isAllHeardOf = resultsOf(run, carried).every((id) => heard.has(id));
  return isAllHeardOf ? known : withOrigins(known, unknownFrom("run", run.run_id));
}

/** Runs from before this was noted, or whose journal is gone, may know anything. */
async function begunWith(read: CommittedReader, run: Run): Promise<Trust> {
  const birth = await read.get(journalTable, run.seq);
  const input = birth?.event["input"] as { readonly trust?: unknown } | undefined;
  const begun = trust.safeParse(input?.trust);
  return begun.success ? begun.data : fromBefore;
}

const rowsAtOnce = 200;

/** By the id of the call: all that its end brought. */
async function callsHeardOf(
  read: CommittedReader,
  run: Run,
  at: number,
): Promise<ReadonlyMap<string, Trust>> {
  const heard = new Map<string, Trust>();
  for (let after = run.seq; ;) {
    const ofRun = { index: "by_address", equals: [run.address], after, limit: rowsAtOnce };
    const rows = await read.select(journalTable, ofRun);
    for (const row of rows) if ((row.cause ?? row.seq) <= at) hear(heard, row);
    if (rows.length < rowsAtOnce) return heard;
    after = rows.at(-1)?.seq ?? after;
  }
}

function hear(heard: Map<string, Trust>, { event, event_type }: JournalRow): void {
  if (event_type === "xstate.done.actor.callModel") hearRecalled(heard, event["output"]);
  const { call_id: id, state } = event;
  if (event_type !== "call.changed" || state !== "finished" || typeof id !== "string") return;
  const brings = trust.safeParse(event["brings"]);
  const before = heard.get(id) ?? noTrust;
  heard.set(id, brings.success ? withOrigins(before, brings.data) : before);
}

/** What the run was reminded of, under a name that no call has. */
function hearRecalled(heard: Map<string, Trust>, output: unknown): void {
  const { recalled } = (output ?? {}) as Partial<CallModelOutput>;
  const brings = trust.safeParse(recalled?.brings);
  if (brings.success) heard.set("", brings.data);
}

function resultsOf({ run_id }: Run, { messages }: Carried): string[] {
  return messages
    .filter((message) => message.run_id === run_id)
    .flatMap(({ content }) => content)
    .filter((block) => block.type === "tool_result")
    .map((block) => block.tool_call_id);
}
