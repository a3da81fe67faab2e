import { randomUUID } from "node:crypto";
import { postMemoryChange } from "../../actors/memory/post-memory-change.ts";
import { lineDiff } from "../../adapters/text-diff/line-diff.ts";
import type { Engine } from "../../engine/engine.ts";
import { partitionOfPath } from "../../memory/partitions.ts";
import { unitsHolding } from "../../memory/passages.ts";
import { isNamedAsText, textOf } from "../../memory/text-of.ts";
import type { MemoryFiles, SkippedFile } from "../../ports/memory-files.ts";
import type { IndexStats, MemoryIndex } from "../../ports/memory-index.ts";
import type { MemoryVersions } from "../../ports/memory-versions.ts";
import type { ChangedFile, ChangeMemoryInput } from "../../schema/activities.ts";
import { AgentError } from "../../schema/errors.ts";
import type { FileChange, MemoryHit, MemoryPartition, Passage } from "../../schema/memory.ts";
import { type MemoryChangeRow, memoryChangeTable } from "../../schema/memory-rows.ts";
import type { IndexKeeper } from "./keep-index.ts";

/** What people do with memory: they see it, search it, take changes back, and have something forgotten. */
export type MemoryDesk = {
  list(): Promise<readonly ListedFile[]>;
  /** @throws AgentError memory.not_found, memory.refused: it is no text */
  show(path: string): Promise<ShownFile>;
  /** The owner's: everything, or all that one agent may have. */
  search(query: DeskQuery): Promise<readonly MemoryHit[]>;
  /** Newest first. @param before a change's `n` */
  log(query: LogQuery): Promise<readonly MemoryChangeRow[]>;
  /** A unified diff. @throws AgentError memory.not_found */
  diffOf(changeId: string): Promise<{ readonly change: MemoryChangeRow; readonly diff: string }>;
  /** Takes a change back. @throws AgentError memory.not_found, memory.changed: later changes touch the same lines; `whole` makes the
   *  file what it was before that change */
  restore(
    changeId: string,
    how: By & { readonly whole?: boolean },
  ): Promise<readonly ChangedFile[]>;
  /** Takes it out of every file, every kept version and the index. @throws AgentError memory.not_found: nothing says so */
  forget(what: Forgotten, how: By): Promise<ForgetReport>;
  /** Makes the index anew from the files. */
  reindex(): Promise<MemoryStats>;
  stats(): Promise<MemoryStats>;
};

/** `user:1001`, `cli`. */
export type By = { readonly by: string };

export type DeskQuery = {
  readonly text: string;
  readonly agent?: string;
  readonly limit: number;
  readonly signal?: AbortSignal;
};
export type LogQuery = { readonly path?: string; readonly limit: number; readonly before?: number };

/** These lines of a file; or whatever holds this text, whatever the case of its letters. */
export type Forgotten =
  | { readonly path: string; readonly line_start: number; readonly line_end: number }
  | { readonly text: string };

export type ForgetReport = { readonly files: readonly string[]; readonly entries: number };

export type ListedFile = {
  readonly path: string;
  /** Null: it belongs to no agent. */
  readonly partition: MemoryPartition | null;
  readonly bytes: number;
  readonly modified_at: number;
};

export type ShownFile = ListedFile & { readonly text: string };

export type MemoryStats = IndexStats & {
  readonly files: number;
  readonly partitions: readonly MemoryPartition[];
  /** Files that are not found by what they hold. */
  readonly skipped: readonly SkippedFile[];
};

export type MemoryDeskOptions = {
  readonly engine: Engine;
  readonly files: MemoryFiles;
  readonly versions: MemoryVersions;
  readonly index: MemoryIndex;
  readonly keeper: IndexKeeper;
  /** Fires when nobody is to wait any more. */
  readonly signal: AbortSignal;
};

export function createMemoryDesk(options: MemoryDeskOptions): MemoryDesk {
  const { files, index, keeper } = options;
  const stats = async (): Promise<MemoryStats> => ({
    ...(await index.stats()),
    files: (await files.list()).files.length,
    partitions: await index.partitions(),
    skipped: keeper.skipped(),
  });
  return {
    list: async () => (await files.list()).files.map(listed),
    show: (path) => show(options, path),
    search: (query) => search(options, query),
    log: (query) => log(options, query),
    diffOf: (changeId) => diffOf(options, changeId),
    restore: async (changeId, { by, whole = false }) =>
      post(options, {
        changes: [{ op: "undo", change_id: changeId, whole }],
        kind: "restore",
        by,
        reason: changeId,
      }),
    forget: (what, how) => forget(options, what, how),
    reindex: async () => {
      await keeper.rebuild();
      await keeper.scan();
      return stats();
    },
    stats,
  };
}

function listed(file: Omit<ListedFile, "partition">): ListedFile {
  return { ...file, partition: partitionOfPath(file.path) ?? null };
}

async function show({ files }: MemoryDeskOptions, path: string): Promise<ShownFile> {
  const found = await files.read(path);
  if (found === undefined) throw new AgentError("memory.not_found", `There is no ${path}.`);
  const text = textOf(found.content);
  if (text === undefined)
    throw new AgentError("memory.refused", `${path} is no text that can be shown.`);
  const entry = (await files.list()).files.find((file) => file.path === path);
  const { bytes } = found;
  return { ...listed({ path, bytes, modified_at: entry?.modified_at ?? 0 }), text };
}

async function search(
  { index }: MemoryDeskOptions,
  { text, agent, limit, signal }: DeskQuery,
): Promise<readonly MemoryHit[]> {
  const known = (await index.partitions()).filter((each) => !each.startsWith("task:"));
  const partitions =
    agent === undefined
      ? known
      : known.filter((each) => each.startsWith(`${agent}/`) || each === "shared");
  const aborting = signal === undefined ? {} : { signal };
  return index.search({ text, partitions, kinds: ["memory"], limit, ...aborting });
}

function log(
  { engine }: MemoryDeskOptions,
  { path, limit, before }: LogQuery,
): Promise<MemoryChangeRow[]> {
  return engine.read.select(memoryChangeTable, {
    ...(path === undefined ? { index: "by_n" } : { index: "by_path", equals: [path] }),
    descending: true,
    limit,
    ...(before === undefined ? {} : { before }),
  });
}

async function changeCalled({ engine }: MemoryDeskOptions, id: string): Promise<MemoryChangeRow> {
  const row = await engine.read.get(memoryChangeTable, id);
  if (row !== undefined) return row;
  throw new AgentError("memory.not_found", `There is no change ${id.slice(0, 80)}.`);
}

async function diffOf(
  options: MemoryDeskOptions,
  changeId: string,
): Promise<{ readonly change: MemoryChangeRow; readonly diff: string }> {
  const change = await changeCalled(options, changeId);
  const [before, after] = await Promise.all(
    [change.before, change.after].map((hash) => keptText(options, hash)),
  );
  return { change, diff: lineDiff.show(before ?? "", after ?? "", change.path) };
}

async function keptText({ versions }: MemoryDeskOptions, hash: string | null): Promise<string> {
  if (hash === null) return "";
  return textOf(await versions.read(hash)) ?? "[this version is not kept]\n";
}

type Change = Pick<ChangeMemoryInput, "kind" | "by" | "reason"> & {
  readonly changes: readonly FileChange[];
};

function post(
  { engine, versions, signal }: MemoryDeskOptions,
  change: Change,
): Promise<readonly ChangedFile[]> {
  return postMemoryChange(
    { engine, versions, signal },
    { ...change, session_id: null },
    randomUUID(),
  );
}

async function forget(
  options: MemoryDeskOptions,
  what: Forgotten,
  { by }: By,
): Promise<ForgetReport> {
  const passages =
    "path" in what ? [await passageOf(options, what)] : await passagesHolding(options, what.text);
  if (passages.length === 0)
    throw new AgentError(
      "memory.not_found",
      "Nothing in memory, or in its older versions, says so.",
    );
  const changed = await post(options, {
    changes: [{ op: "forget", passages }],
    kind: "forget",
    by,
    reason: "",
  });
  const own = changed.filter(({ kind }) => kind === "forget");
  return {
    files: own.map(({ path }) => path),
    entries: own.reduce((sum, { removed }) => sum + removed, 0),
  };
}

async function passageOf(
  options: MemoryDeskOptions,
  { path, line_start, line_end }: Extract<Forgotten, { path: string }>,
): Promise<Passage> {
  const { text } = await show(options, path);
  const lines = text.split("\n").length;
  if (line_start < 1 || line_end < line_start || line_start > lines)
    throw new AgentError("memory.not_found", `${path} has the lines 1 to ${lines}.`);
  const version = await options.versions.keep(new TextEncoder().encode(text));
  return { version, line_start, line_end };
}

/** In what files hold now, and in what they held. */
async function passagesHolding(options: MemoryDeskOptions, wanted: string): Promise<Passage[]> {
  const { files, versions } = options;
  for (const { path } of (await files.list()).files) {
    if (!isNamedAsText(path)) continue;
    const text = textOf((await files.read(path))?.content);
    if (text !== undefined && unitsHolding(text, wanted).length > 0)
      await versions.keep(new TextEncoder().encode(text));
  }
  const passages: Passage[] = [];
  for (const { hash } of await versions.list()) {
    const text = textOf(await versions.read(hash));
    if (text === undefined) continue;
    for (const { line_start, line_end } of unitsHolding(text, wanted))
      passages.push({ version: hash, line_start, line_end });
  }
  return passages;
}
