import { isPermissible } from "../../../policy/verdict.ts";
import type { MemorySource } from "../../../schema/memory.ts";
import type { Task } from "../../../schema/rows/run-rows.ts";
import type { AgentOfRun } from "../../agent-of-run.ts";

/** The memories that a run may read: what its agent reads, as it was and as it is now, within the boundary of the task. */
export function readableMemory(
  { pinned, live }: Pick<AgentOfRun, "pinned" | "live">,
  task: Pick<Task, "boundary"> | undefined,
): readonly MemorySource[] {
  if (task === undefined) return [];
  const policies = [pinned.policy, live.policy, { boundary: task.boundary, deny: [] }];
  return pinned.memoryRead.filter(
    (source) =>
      live.memoryRead.includes(source) &&
      policies.every((policy) => isPermissible(policy, `memory.read:${source}`)),
  );
}
