import { randomUUID } from "node:crypto";
import { postMemoryChange } from "../../../actors/memory/changing/post-memory-change.ts";
import { OneAtATime } from "../../../adapters/turns/one-at-a-time.ts";
import type { Engine } from "../../../engine/engine.ts";
import { partitionOfPath } from "../../../memory/partitions.ts";
import { isNamedAsText } from "../../../memory/decoded-text.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { MemoryFileBytes, MemoryFiles } from "../../../ports/memory-files.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import type { FileChange } from "../../../schema/memory.ts";
import { memoryFileTable } from "../../../schema/rows/memory-rows.ts";
import { EditPace } from "./edit-pace.ts";

export type NotingEdits = {
  readonly engine: Engine;
  readonly files: MemoryFiles;
  readonly versions: MemoryVersions;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly complain: (thrown: unknown) => void;
};

/** Makes a version and a change of what people save. */
export type EditNotes = {
  /** Somebody has just saved it: kept at once, since who saves next may do so before the changes that wait are made. */
  note(path: string): void;
  /** These, and those that wait for their turn; a few at a time, so that nobody who wants to write waits for all. */
  noteAll(paths: readonly string[]): Promise<void>;
  noted(): Promise<void>;
};

const filesAtOnce = 100;

export function noteEdits(noting: NotingEdits): EditNotes {
  const { signal, complain, clock } = noting;
  const pace = new EditPace();
  const options = { ...noting, pace };
  const saved = new Set<string>();
  const posted = new Set<Promise<void>>();
  const turns = new OneAtATime();
  const post = (changes: readonly Observed[]) => {
    const posting = postSeen(options, changes)
      .catch(complain)
      .finally(() => posted.delete(posting));
    posted.add(posting);
  };
  const see = async () => {
    if (signal.aborted || saved.size === 0) return;
    const paths = [...saved].slice(0, filesAtOnce);
    for (const path of paths) saved.delete(path);
    const changes = await observed(options, paths);
    if (changes.length > 0) post(changes);
  };
  return {
    note: (path) => {
      saved.add(path);
      turns.run(see).catch(complain);
    },
    noteAll: async (found) => {
      const paths = [...new Set([...found, ...pace.due()])];
      for (let at = 0; at < paths.length; at += filesAtOnce) {
        if (signal.aborted) return;
        const changes = await observed(options, paths.slice(at, at + filesAtOnce));
        if (changes.length > 0) await postSeen(options, changes);
      }
      pace.forgetIdle(clock.now());
    },
    noted: async () => {
      await turns.idle();
      await Promise.all(posted);
    },
  };
}

type Observed = Extract<FileChange, { op: "observe" }>;
type Paced = NotingEdits & { readonly pace: EditPace };

/** Those that hold something else than what was noted of them, and whose turn it is. */
async function observed(options: Paced, paths: readonly string[]): Promise<Observed[]> {
  const found: Observed[] = [];
  for (const path of paths) {
    const change = await unseen(options, path);
    if (change !== undefined) found.push(change);
  }
  return found;
}

const nothing = { hash: null, content: null };

async function unseen(
  { engine, files, versions, clock, pace }: Paced,
  path: string,
): Promise<Observed | undefined> {
  if (!isNamedAsText(path) || partitionOfPath(path) === undefined) return undefined;
  const found = await readMaybe(files, path);
  if (found === null) return undefined;
  const row = await engine.read.get(memoryFileTable, path);
  const { hash, content } = found ?? nothing;
  if (hash === (row?.hash ?? null)) {
    pace.isKept(path);
    return undefined;
  }
  if (!pace.mayKeep(path, hash, clock.now())) return undefined;
  if (content === null) return { op: "observe", path };
  return { op: "observe", path, version: await versions.keep(content) };
}

/** Undefined: it is gone. Null: it became a link, or nothing that can be read; others are noted all the same. */
async function readMaybe(
  files: MemoryFiles,
  path: string,
): Promise<MemoryFileBytes | null | undefined> {
  try {
    return await files.read(path);
  } catch {
    return null;
  }
}

async function postSeen(
  { engine, versions, signal }: NotingEdits,
  changes: readonly Observed[],
): Promise<void> {
  const input = { changes, kind: "edit", by: "editor", reason: "", session_id: null } as const;
  await postMemoryChange({ engine, versions, signal }, input, `seen-${randomUUID()}`);
}
