import { partitionOfPath } from "../../../memory/partitions.ts";
import { isNamedAsText, decodedText } from "../../../memory/decoded-text.ts";
import type { ChangedFile } from "../../../schema/activities.ts";
import { AgentError } from "../../../schema/errors.ts";
import type { FileChange, MemoryChangeKind } from "../../../schema/memory.ts";
import { memoryFileTable } from "../../../schema/rows/memory-rows.ts";
import { newestChangesOf } from "./newest-changes.ts";
import type { UnderWay } from "./under-way.ts";

/** What others do to files becomes a version and a change, before and beside our own. */

/** Notes what somebody else has done to the file, as a change of its own. */
export async function keepUnseen(
  change: UnderWay,
  path: string,
  kind: MemoryChangeKind,
): Promise<void> {
  if (!isNamedAsText(path) || partitionOfPath(path) === undefined) return;
  const { files, versions } = change.workshop;
  const found = await files.read(path);
  const before = await knownHash(change, path);
  const after = found?.hash ?? null;
  if (before === after) return;
  const content = found?.content ?? null;
  if (content !== null) await versions.keep(content);
  const edit = { path, kind, before, after, bytes: found?.bytes ?? 0 };
  change.progress.changed.push(await editOf(change, edit, content));
}

/** What was seen and has been saved over since, before anybody could note it, is noted first. */
export async function observe(
  change: UnderWay,
  { path, version: seen }: Extract<FileChange, { op: "observe" }>,
): Promise<void> {
  const { kind } = change.input;
  if (seen !== undefined && (await isSavedOver(change, path, seen))) {
    const content = await change.workshop.versions.read(seen);
    const before = await knownHash(change, path);
    if (content !== undefined && partitionOfPath(path) !== undefined) {
      const edit = { path, kind, before, after: seen, bytes: content.length };
      change.progress.changed.push(await editOf(change, edit, content));
    }
  }
  await keepUnseen(change, path, kind);
}

/** And stands in no row. */
async function isSavedOver(change: UnderWay, path: string, seen: string): Promise<boolean> {
  if ((await change.workshop.files.read(path))?.hash === seen) return false;
  const rows = [...(await newestChangesOf(change.read, path)), ...change.progress.changed];
  return !rows.some((row) => row.path === path && (row.before === seen || row.after === seen));
}

type Edit = Pick<ChangedFile, "path" | "kind" | "before" | "after" | "bytes">;

export async function editOf(
  change: UnderWay,
  edit: Edit,
  content: Uint8Array | null,
): Promise<ChangedFile> {
  const counts = await countsOf(change, edit.before, content);
  return { ...edit, partition: requiredPartition(edit.path), ...counts };
}

export async function knownHash(
  { progress, read }: UnderWay,
  path: string,
): Promise<string | null> {
  const last = progress.changed.findLast((each) => each.path === path);
  if (last !== undefined) return last.after;
  return (await read.get(memoryFileTable, path))?.hash ?? null;
}

async function countsOf(
  { workshop }: UnderWay,
  before: string | null,
  now: Uint8Array | null,
): Promise<{ readonly added: number; readonly removed: number }> {
  const old = before === null ? null : await workshop.versions.read(before);
  return workshop.diff.count(decodedText(old) ?? "", decodedText(now) ?? "");
}

export function requiredPartition(path: string): string {
  const partition = partitionOfPath(path);
  if (partition !== undefined) return partition;
  throw new AgentError("memory.refused", `${path} belongs to no agent's memory.`, {
    hint: "Memory is in AGENT/CONNECTOR/ and shared/concepts/.",
  });
}
