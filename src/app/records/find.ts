import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import { type Run, runTable, type Task, taskTable } from "../../schema/rows/run-rows.ts";
import { type Session, sessionTable } from "../../schema/rows/session-rows.ts";

/** @throws AgentError actor.not_found */
export async function findRun(read: CommittedReader, id: string): Promise<Run> {
  const run = await read.get(runTable, id);
  if (run !== undefined) return run;
  throw new AgentError("actor.not_found", `No run is called ${id}.`, {
    hint: "`statehive runs list` lists them",
  });
}

/** A task's run has the task's number: t12 and r12. */
export async function runsOfTask(read: CommittedReader, taskId: string): Promise<Run[]> {
  const run = await read.get(runTable, `r${taskId.slice(1)}`);
  return run === undefined ? [] : [run];
}

/** @throws AgentError actor.not_found */
export async function findTask(read: CommittedReader, id: string): Promise<Task> {
  const task = await read.get(taskTable, id);
  if (task !== undefined) return task;
  throw new AgentError("actor.not_found", `No task is called ${id}.`, {
    hint: "`statehive task list` lists them",
  });
}

/** @param id its id, or its key: then the newest one
 *  @throws AgentError session.not_found */
export async function findSession(read: CommittedReader, id: string): Promise<Session> {
  const byId = await read.get(sessionTable, id);
  if (byId !== undefined) return byId;
  const newest = await newestSession(read, id);
  if (newest !== undefined) return newest;
  throw new AgentError("session.not_found", `No session has the id or key ${id}.`, {
    hint: "`statehive sessions list` lists them",
  });
}

/** Several sessions of one conversation have its key, one after the other. */
export async function newestSession(
  read: CommittedReader,
  key: string,
): Promise<Session | undefined> {
  const [newest] = await read.select(sessionTable, {
    index: "by_key",
    equals: [key],
    descending: true,
    limit: 1,
  });
  return newest;
}
