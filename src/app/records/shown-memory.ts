import type { MemoryFileEntry } from "../../ports/memory-files.ts";
import { type MemoryHit, type MemoryPartition, sharedPartition } from "../../schema/memory.ts";
import type { MemoryChangeRow } from "../../schema/rows/memory-rows.ts";
import type {
  ShownMemoryChange,
  ShownMemoryFile,
  ShownMemoryHit,
} from "../../schema/shown/shown-memory.ts";
import { iso } from "./shown.ts";

export function agentOf(partition: MemoryPartition): string | null {
  return partition === sharedPartition ? null : (partition.split("/", 1)[0] ?? null);
}

export function showHit({ partition, ...hit }: MemoryHit): ShownMemoryHit {
  return { ...hit, agent: agentOf(partition) };
}

export function showMemoryFile(
  { path, bytes, modified_at }: MemoryFileEntry,
  partition: MemoryPartition,
): ShownMemoryFile {
  return {
    path,
    partition,
    agent: agentOf(partition),
    bytes,
    modified_at: iso(Math.trunc(modified_at)),
  };
}

export function showMemoryChange(
  row: MemoryChangeRow & Pick<ShownMemoryChange, "over">,
): ShownMemoryChange {
  const { change_id, n: _, at, before, after, ...known } = row;
  return {
    id: change_id,
    at: iso(at),
    ...known,
    is_new: before === null,
    is_gone: after === null,
  };
}
