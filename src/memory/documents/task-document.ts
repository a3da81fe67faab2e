import type { MemoryDocument, MemoryPartition } from "../../schema/memory.ts";
import type { Run, Task } from "../../schema/rows/run-rows.ts";

/** What was asked of an agent, with its outcome, as a document that can be found. */

const mostOfTask = 400;
const mostOfReply = 240;
/** A greeting is no task. */
export const leastOfTask = 12;

export type EndedTask = {
  readonly task: Pick<Task, "task_id" | "text">;
  readonly run: Pick<Run, "state" | "ended_at" | "reply" | "forgotten_at">;
  readonly partition: MemoryPartition;
  /** Whose text it may be. */
  readonly origins: readonly string[];
};

/** Undefined for a task that has not ended, that is too short to be like another, or that says what was forgotten. */
export function taskDocument({
  task,
  run,
  partition,
  origins,
}: EndedTask): MemoryDocument | undefined {
  const { state, ended_at, reply, forgotten_at } = run;
  if (forgotten_at !== null) return undefined;
  const asked = oneLine(task.text, mostOfTask);
  if (state === null || ended_at === null || asked.length < leastOfTask) return undefined;
  const answered = oneLine(reply ?? "", mostOfReply);
  const text = [`Asked: ${asked}`, ...(answered === "" ? [] : [`Answered: ${answered}`])];
  const day = new Date(ended_at).toISOString().slice(0, 10);
  const heading = `${day} > ${state}`;
  const chunk = { text: text.join("\n"), heading, line_start: 1, line_end: text.length, origins };
  return {
    path: taskPath(task.task_id),
    partition,
    kind: "task",
    version: `${state} ${ended_at}`,
    chunks: [chunk],
  };
}

export function taskPath(task_id: string): string {
  return `task/${task_id}`;
}

function oneLine(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
