import { randomUUID } from "node:crypto";
import { postMemoryChange } from "../../../actors/memory/changing/post-memory-change.ts";
import { lineDiff } from "../../../adapters/text-diff/line-diff.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { MemoryFiles } from "../../../ports/memory-files.ts";
import type { MemoryIndex } from "../../../ports/memory-index.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import type { ChangedFile, ChangeMemoryInput } from "../../../schema/activities.ts";
import type { FileChange } from "../../../schema/memory.ts";
import type { Consolidated } from "../../../schema/shown/shown-memory.ts";
import { consolidate, type ConsolidateRequest } from "./consolidate.ts";
import type { IndexKeeper } from "../keeping/keep-index.ts";
import { changeCalled, createMemoryReads, type MemoryReads } from "./memory-reads.ts";
import { passagesToForget } from "./passages-to-forget.ts";
import { type Forgettable, seekPassages, type Sought } from "./seek-passages.ts";

/** What people do with memory: they see it, search it, take changes back, and have something forgotten. */
export type MemoryDesk = MemoryReads & {
  /** Takes a change back. @throws AgentError memory.not_found, memory.changed: later changes touch the same lines; `whole` makes the
   *  file what it was before that change */
  restore(
    changeId: string,
    how: By & { readonly whole?: boolean },
  ): Promise<readonly ChangedFile[]>;
  /** What `forget` would take. @throws AgentError memory.not_found: nothing says so */
  seek(what: Forgettable): Promise<Sought>;
  /** Takes it out of every file, every kept version and the index, past tasks included. @throws AgentError memory.not_found */
  forget(what: Forgettable, how: By): Promise<readonly ChangedFile[]>;
  /** Tidies memory now, or says what that would change. @throws AgentError memory.not_found: the agent has none */
  consolidate(request: ConsolidateRequest): Promise<readonly Consolidated[]>;
  /** Makes the index anew from the files. @throws AgentError index.unavailable */
  reindex(): Promise<void>;
};

/** `user:1001`, `cli`. */
export type By = { readonly by: string };

export type MemoryDeskOptions = {
  readonly engine: Engine;
  readonly files: MemoryFiles;
  readonly versions: MemoryVersions;
  readonly index: MemoryIndex;
  readonly keeper: IndexKeeper;
  /** Why no embedder is there although one is configured. */
  readonly missing: string | null;
  /** Has past tasks found that the index does not have, and no others. */
  readonly takeTasks: () => Promise<void>;
  /** Fires when nobody is to wait any more. */
  readonly signal: AbortSignal;
};

export function createMemoryDesk(options: MemoryDeskOptions): MemoryDesk {
  const { engine, files, versions, index, keeper, missing, takeTasks } = options;
  const { read } = engine;
  const skipped = () => keeper.skipped();
  const reads = createMemoryReads({ read, files, versions, index, diff: lineDiff, skipped });
  return {
    ...reads,
    indexStats: async () => {
      const stats = await index.stats();
      return { ...stats, trouble: stats.trouble ?? missing };
    },
    restore: async (changeId, { by, whole = false }) => {
      await changeCalled(read, changeId);
      return post(options, {
        changes: [{ op: "undo", change_id: changeId, whole }],
        kind: "restore",
        by,
        reason: changeId,
      });
    },
    seek: (what) => seekPassages({ files, versions }, what),
    forget: (what, how) => forget(options, what, how),
    consolidate: (request) => consolidate({ ...options, diff: lineDiff }, request),
    reindex: async () => {
      await keeper.rebuild();
      await keeper.scan();
      await takeTasks();
    },
  };
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
  what: Forgettable,
  { by }: By,
): Promise<readonly ChangedFile[]> {
  const passages = await passagesToForget(options, what);
  const asked = "text" in what ? { text: what.text } : {};
  const changed = await post(options, {
    changes: [{ op: "forget", passages, ...asked }],
    kind: "forget",
    by,
    reason: "",
  });
  await options.takeTasks();
  return changed;
}
