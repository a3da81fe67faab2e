import type { ActivityContext, ActivityKind } from "../../../engine/activities/activity-kind.ts";
import type { CommittedReader } from "../../../ports/store.ts";
import type { ChangeMemoryInput, ChangeMemoryOutput } from "../../../schema/activities.ts";
import { AgentError, toErrorData } from "../../../schema/errors.ts";
import type { JsonObject } from "../../../schema/json.ts";
import type { FileChange } from "../../../schema/memory.ts";
import { applyChange } from "./apply-change.ts";
import { resumePending } from "./rewrite-file.ts";
import type { MemoryWorkshop } from "../memory-parts.ts";
import { noMemory } from "../no-memories.ts";
import { noteProgress, progressName, readProgress } from "./progress.ts";
import { recordChanges } from "./record-changes.ts";
import type { UnderWay } from "./under-way.ts";

export type ChangeMemoryOptions = {
  /** Absent: there is none. */
  readonly memory: MemoryWorkshop | undefined;
  readonly read: () => CommittedReader;
};

/** The one way in which files of memory change. One at a time; done again under the same key it goes on where it was. */
export function createChangeMemory({
  memory,
  read,
}: ChangeMemoryOptions): ActivityKind<ChangeMemoryInput, ChangeMemoryOutput> {
  return {
    recovery: "keyed",
    maxConcurrent: 1,
    retry: { attempts: 5, backoffMs: 1_000, maxBackoffMs: 60_000 },
    settled: recordChanges,
    run: async (context) => {
      if (memory === undefined) throw noMemory();
      return changeMemory(memory, read(), context);
    },
  };
}

async function changeMemory(
  workshop: MemoryWorkshop,
  read: CommittedReader,
  { input, key, signal }: ActivityContext<ChangeMemoryInput>,
): Promise<ChangeMemoryOutput> {
  const name = progressName(key);
  const progress = await readProgress(workshop.versions, name);
  const change: UnderWay = { workshop, read, input, name, progress, signal };
  if (progress.end === null) {
    await resumePending(change);
    progress.end = await endOf(change);
    await noteProgress(workshop.versions, name, progress);
  }
  await forgetStaged(change);
  await showNow(change);
  const { end } = progress;
  if ("output" in end) return end.output;
  const { code, message, ...options } = end.error;
  throw new AgentError(code, message, options);
}

async function endOf(change: UnderWay): Promise<NonNullable<UnderWay["progress"]["end"]>> {
  const { progress, workshop, name } = change;
  try {
    const changes = await changesOf(change);
    for (const asked of changes.slice(progress.done)) {
      await applyChange(change, asked);
      progress.done += 1;
      if (asked.op !== "observe") await noteProgress(workshop.versions, name, progress);
    }
    const { changed, rewritten, recalls, tasks } = progress;
    const output = { changed: [...changed], rewritten: [...rewritten] };
    const forgotten = recalls === undefined || tasks === undefined ? {} : { recalls, tasks };
    return { output: { ...output, ...forgotten } };
  } catch (thrown) {
    if (!(thrown instanceof AgentError) || isPassing(thrown)) throw thrown;
    await resumePending(change).catch(() => {}); // where even that is refused, the next start takes away what is staged
    const details = { changed: progress.changed } as unknown as JsonObject;
    return { error: toErrorData(thrown.withDetails(details)) };
  }
}

/** What an attempt after this one may not meet again. */
function isPassing({ code, retryable }: AgentError): boolean {
  return retryable || code === "memory.unavailable" || code === "activity.aborted";
}

async function changesOf({ input, workshop }: UnderWay): Promise<readonly FileChange[]> {
  const { changes } = input;
  if (typeof changes !== "string") return changes;
  const staged = await workshop.versions.noted(changes);
  if (staged !== undefined) return JSON.parse(staged) as readonly FileChange[];
  throw new AgentError("memory.not_found", "What was to be remembered is not kept any more.");
}

async function forgetStaged({ input, workshop }: UnderWay): Promise<void> {
  if (typeof input.changes === "string") await workshop.versions.forgetNote(input.changes);
}

async function showNow({ progress, workshop, input }: UnderWay): Promise<void> {
  const paths = [...new Set(progress.changed.map(({ path }) => path))];
  if (paths.length === 0) return;
  await workshop.refresh(paths, input.kind === "forget" ? "forgotten" : "changed");
}
