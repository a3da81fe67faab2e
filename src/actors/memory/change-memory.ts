import type { ActivityKind } from "../../engine/activity-kind.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { ChangeMemoryInput, ChangeMemoryOutput } from "../../schema/activities.ts";
import type { MemoryParts } from "./memory-parts.ts";
import { noMemory } from "./no-memories.ts";

export type ChangeMemoryOptions = {
  /** Absent: there is none. */
  readonly memory: Omit<MemoryParts, "memories"> | undefined;
  readonly read: () => CommittedReader;
};

/** The one way in which files of memory change. */
export function createChangeMemory(
  _options: ChangeMemoryOptions,
): ActivityKind<ChangeMemoryInput, ChangeMemoryOutput> {
  return { recovery: "keyed", maxConcurrent: 1, run: () => Promise.reject(noMemory()) };
}
