import { closeEnough } from "../../../memory/search/close-enough.ts";
import { isOfTasks, partitionOfPath } from "../../../memory/partitions.ts";
import { decodedText } from "../../../memory/decoded-text.ts";
import type { MemoryFileEntry, MemoryFiles, SkippedFile } from "../../../ports/memory-files.ts";
import type { IndexStats, MemoryIndex } from "../../../ports/memory-index.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import type { CommittedReader } from "../../../ports/store.ts";
import type { TextDiff } from "../../../ports/text-diff.ts";
import { AgentError } from "../../../schema/errors.ts";
import { type MemoryHit, type MemoryPartition, sharedPartition } from "../../../schema/memory.ts";
import { type MemoryChangeRow, memoryChangeTable } from "../../../schema/rows/memory-rows.ts";
import { keptText } from "./kept-text.ts";
import { savedOver } from "./saved-over.ts";

/** What people see of memory, with the service and without it. */
export type MemoryReads = {
  list(): Promise<{
    readonly files: readonly ListedFile[];
    /** Files that are not found by what they hold. */
    readonly skipped: readonly SkippedFile[];
  }>;
  /** @throws AgentError memory.not_found, memory.refused: it is no text */
  show(path: string): Promise<ShownFile>;
  /** The owner's: everything, or all that one agent may have. */
  search(query: ReadsQuery): Promise<readonly MemoryHit[]>;
  /** Newest first. */
  log(query: LogQuery): Promise<readonly LoggedChange[]>;
  /** A unified diff; null: a version is not kept any more, or is no text. @throws AgentError memory.not_found */
  diffOf(changeId: string): Promise<ChangeDiff>;
  /** @throws AgentError index.unavailable */
  indexStats(): Promise<IndexStats>;
};

export type ReadsQuery = {
  readonly text: string;
  readonly agent?: string;
  readonly limit: number;
  readonly signal?: AbortSignal;
};
export type LogQuery = { readonly path?: string; readonly limit: number };
export type LoggedChange = MemoryChangeRow & {
  /** Changes of agents, made just before it, of whose memories it left none. */
  readonly over: readonly string[];
};
export type ChangeDiff = { readonly change: LoggedChange; readonly diff: string | null };

export type ListedFile = MemoryFileEntry & {
  /** Null: it belongs to no agent. */
  readonly partition: MemoryPartition | null;
};

export type ShownFile = {
  readonly path: string;
  readonly partition: MemoryPartition;
  readonly bytes: number;
  readonly text: string;
};

export type MemoryReadsOptions = {
  readonly read: CommittedReader;
  readonly files: Pick<MemoryFiles, "list" | "read">;
  readonly versions: Pick<MemoryVersions, "read">;
  readonly diff: Pick<TextDiff, "show">;
  readonly index: Pick<MemoryIndex, "search" | "stats" | "partitions">;
  /** Asked besides the files themselves. */
  readonly skipped?: () => readonly SkippedFile[];
};

export function createMemoryReads(options: MemoryReadsOptions): MemoryReads {
  const { files, index, skipped = () => [] } = options;
  return {
    list: async () => {
      const found = await files.list();
      const there = new Set(found.files.map(({ path }) => path));
      const unread = skipped().filter(({ path }) => there.has(path));
      return { files: found.files.map(listed), skipped: [...found.skipped, ...unread] };
    },
    show: (path) => show(options, path),
    search: (query) => search(options, query),
    log: (query) => log(options, query),
    diffOf: (changeId) => diffOf(options, changeId),
    indexStats: () => index.stats(),
  };
}

function listed(file: MemoryFileEntry): ListedFile {
  return { ...file, partition: partitionOfPath(file.path) ?? null };
}

async function show({ files }: MemoryReadsOptions, path: string): Promise<ShownFile> {
  const partition = partitionOfPath(path);
  const found = partition === undefined ? undefined : await files.read(path);
  if (partition === undefined || found === undefined)
    throw new AgentError("memory.not_found", `There is no file of memory called ${path}.`, {
      hint: "`statehive memory show` lists them",
    });
  const { content, bytes } = found;
  const text = decodedText(content);
  if (text !== undefined) return { path, partition, bytes, text };
  const why = content === null ? `has ${bytes} bytes, more than is read` : "is no text";
  throw new AgentError("memory.refused", `${path} ${why}.`, { hint: "open it in an editor" });
}

async function search(
  { index }: MemoryReadsOptions,
  { agent, ...query }: ReadsQuery,
): Promise<readonly MemoryHit[]> {
  const known = (await index.partitions()).filter((each) => !isOfTasks(each));
  const isWanted = (partition: string) =>
    agent === undefined || partition === sharedPartition || partition.startsWith(`${agent}/`);
  const partitions = known.filter(isWanted);
  return closeEnough(await index.search({ ...query, partitions, kinds: ["memory"] }));
}

async function log(
  options: MemoryReadsOptions,
  { path, limit }: LogQuery,
): Promise<readonly LoggedChange[]> {
  const which = path === undefined ? { index: "by_n" } : { index: "by_path", equals: [path] };
  const query = { ...which, descending: true, limit };
  const logged: LoggedChange[] = [];
  for (const change of await options.read.select(memoryChangeTable, query))
    logged.push({ ...change, over: await savedOver(options, change) });
  return logged;
}

/** @throws AgentError memory.not_found */
export async function changeCalled(read: CommittedReader, id: string): Promise<MemoryChangeRow> {
  const change = await read.get(memoryChangeTable, id);
  if (change !== undefined) return change;
  throw new AgentError("memory.not_found", `No change of memory is called ${id.slice(0, 80)}.`, {
    hint: "`statehive memory log` lists them",
  });
}

async function diffOf(options: MemoryReadsOptions, changeId: string): Promise<ChangeDiff> {
  const { read, versions, diff } = options;
  const row = await changeCalled(read, changeId);
  const change = { ...row, over: await savedOver(options, row) };
  const before = await keptText(versions, change.before);
  const after = await keptText(versions, change.after);
  if (before === undefined || after === undefined) return { change, diff: null };
  return { change, diff: diff.show(before, after, change.path) };
}
