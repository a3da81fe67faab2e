import { createHash } from "node:crypto";
import type { ChangedFile, ChangeMemoryInput } from "../../schema/activities.ts";
import { closeEnough } from "../../memory/search/close-enough.ts";
import { momentOf } from "../../memory/moment.ts";
import {
  partitionOf,
  readablePartitions,
  readableTaskPartitions,
} from "../../memory/partitions.ts";
import { targetFile } from "../../memory/entries/target-file.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Memories, MemorySearch, MemoryWrite } from "../../ports/memory.ts";
import type { MemoryIndex } from "../../ports/memory-index.ts";
import { AgentError } from "../../schema/errors.ts";
import { type FileChange, type MemoryHit, sharedPartition } from "../../schema/memory.ts";
import type { SessionPlace } from "../../schema/session-place.ts";

export type MemoriesOptions = {
  readonly index: MemoryIndex;
  readonly clock: Clock;
  readonly timeZone: string;
  /** Resolves once the change is made, once for its key. */
  readonly change: (
    input: ChangeMemoryInput & { readonly changes: readonly FileChange[] },
    how: { readonly key: string; readonly trace: string; readonly signal: AbortSignal },
  ) => Promise<readonly ChangedFile[]>;
};

/** What conversations may use of memory. */
export function createMemories(options: MemoriesOptions): Memories {
  return {
    of: (place) => ({
      search: (request) => search(options, place, request),
      write: (request) => write(options, place, request),
    }),
  };
}

async function search(
  { index }: MemoriesOptions,
  place: SessionPlace,
  { sources, ...query }: MemorySearch,
): Promise<readonly MemoryHit[]> {
  const { kinds } = query;
  const known = await index.partitions();
  const partitions = [
    ...(kinds.includes("memory") ? readablePartitions({ place, sources, known }) : []),
    ...(kinds.includes("task") && sources.includes("own")
      ? readableTaskPartitions(place, known)
      : []),
  ];
  if (partitions.length === 0) return [];
  return closeEnough(await index.search({ ...query, partitions }));
}

async function write(
  { clock, timeZone, change }: MemoriesOptions,
  place: SessionPlace,
  { target, entry, key, session_id, trace_id, signal }: MemoryWrite,
): Promise<{ readonly path: string }> {
  if (signal.aborted) throw new AgentError("activity.aborted", "The write was stopped.");
  const partition = target.to === "shared" ? sharedPartition : partitionOf(place);
  if (partition === undefined)
    throw new AgentError("memory.refused", `The agent ${place.agent_id} has no memory here.`);
  const at = clock.now();
  await change(
    {
      changes: [{ op: "append", partition, target, entries: [entry], at }],
      kind: "write",
      by: `agent:${place.agent_id}`,
      reason: "",
      session_id,
    },
    { key: addressable(key), trace: trace_id, signal },
  );
  return { path: targetFile(partition, target, momentOf(at, timeZone))?.path ?? "" };
}

/** Any text as a part of an address. */
function addressable(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}
