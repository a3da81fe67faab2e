import { type JournalRow, journalTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { type Grant, grantOwners, grantTable } from "../../schema/rows/permission-rows.ts";
import { type Run, taskTable } from "../../schema/rows/run-rows.ts";
import { mostPatterns } from "../../schema/task-boundary.ts";
import { sessionOfRun } from "../../actors/address.ts";

/** What a run may not do that its agent may: a fork of it may not do that either. */

/** What its message asked for as the most that its task may do; undefined: it asked for nothing. */
export async function boundaryOf(
  read: CommittedReader,
  run: Run,
): Promise<readonly string[] | undefined> {
  const birth = await read.get(journalTable, run.seq);
  const asked = birth?.address === run.address ? askedAt(birth) : await pinnedFor(read, run);
  return asked.length === 0 ? undefined : asked;
}

function askedAt({ event }: JournalRow): readonly string[] {
  const { boundary = [] } = (event["input"] ?? {}) as { readonly boundary?: readonly string[] };
  return boundary;
}

/** Where the journal of its beginning is gone: all that the task could do. */
async function pinnedFor(read: CommittedReader, { task_id }: Run): Promise<readonly string[]> {
  return ((await read.get(taskTable, task_id))?.boundary ?? []).slice(0, mostPatterns);
}

/** Calls that a person does not want to be asked about any more, for as long as the session, the task or the run lives. */
export async function noesFor(read: CommittedReader, run: Run): Promise<readonly Grant[]> {
  const { task_id, run_id } = run;
  const session_address = sessionOfRun(run.address);
  const owners = grantOwners({ session_address, task_id, run_id, step_id: "" });
  const owned = [owners.session, owners.task, owners.run].map((owner) =>
    read.select(grantTable, { index: "by_owner", equals: [owner] }),
  );
  return (await Promise.all(owned)).flat().filter(({ effect }) => effect === "deny");
}

export type Beginning = {
  readonly session_address: string;
  /** The number of the step that begins its first task and run. */
  readonly event: number;
  readonly at: number;
};

/** The same for the fork: what held for the session, the task or the run holds for its own. */
export function noesIn(
  noes: readonly Grant[],
  { session_address, event, at }: Beginning,
): readonly Grant[] {
  const work = { session_address, task_id: `t${event}`, run_id: `r${event}`, step_id: "" };
  return noes
    .filter(({ expires_at }) => expires_at === null || at < expires_at)
    .map((grant, index) => ({
      ...grant,
      grant_id: `g${event}-${index}`,
      session_address,
      owner: grantOwners(work)[grant.scope],
    }));
}
