import type { SettledAttempt } from "../../../engine/activities/activity-kind.ts";
import type { RowReader, RowWriter } from "../../../ports/store.ts";
import type {
  ChangedFile,
  ChangeMemoryInput,
  ChangeMemoryOutput,
} from "../../../schema/activities.ts";
import {
  type MemoryChangeRow,
  memoryChangeTable,
  memoryFileTable,
} from "../../../schema/rows/memory-rows.ts";
import { forgetRecalls } from "../forgetting/forget-recalls.ts";
import { forgetTasks } from "../forgetting/forget-tasks.ts";
import { changedBefore } from "./progress.ts";

type Store = RowReader & RowWriter;

/** The rows of what an attempt did, also of one that failed half-way. An attempt that was cut off is taken up by the next one. */
export function recordChanges(store: Store, attempt: SettledAttempt<ChangeMemoryInput>): void {
  const { settlement } = attempt;
  const { changed, rewritten, recalls, tasks }: ChangeMemoryOutput = settlement.ok
    ? (settlement.output as unknown as ChangeMemoryOutput)
    : { changed: changedBefore(settlement.error.details), rewritten: [] };
  for (const file of changed) recordChange(store, attempt, file);
  if (rewritten.length > 0) renameVersions(store, rewritten);
  if (recalls !== undefined) forgetRecalls(store, recalls);
  if (tasks !== undefined) forgetTasks(store, tasks, attempt.at);
}

function recordChange(
  store: Store,
  { input, at, trace }: SettledAttempt<ChangeMemoryInput>,
  { path, partition, kind, before, after, bytes, added, removed }: ChangedFile,
): void {
  const isOwn = kind === input.kind;
  const n = nextNumber(store);
  store.put(memoryChangeTable, {
    change_id: `m${n}`,
    n,
    at,
    path,
    partition,
    kind,
    by: isOwn ? input.by : "editor",
    reason: isOwn ? input.reason : "",
    before,
    after,
    added,
    removed,
    trace_id: trace,
    session_id: isOwn ? input.session_id : null,
  });
  if (after === null) store.remove(memoryFileTable, path);
  else store.put(memoryFileTable, { path, partition, hash: after, bytes, seen_at: at });
}

function nextNumber(store: Store): number {
  const [last] = store.select(memoryChangeTable, { index: "by_n", descending: true, limit: 1 });
  return (last?.n ?? 0) + 1;
}

const rowsAtOnce = 500;

/** What was forgotten in a version changes its name; whoever names it follows. */
function renameVersions(store: Store, rewritten: ChangeMemoryOutput["rewritten"]): void {
  const names = new Map(rewritten.map(({ from, to }) => [from, to]));
  const renamed = (hash: string | null) =>
    hash === null || !names.has(hash) ? hash : (names.get(hash) ?? null);
  let after = 0;
  for (;;) {
    const rows = store.select(memoryChangeTable, { index: "by_n", after, limit: rowsAtOnce });
    for (const row of rows) renameIn(store, row, renamed);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.n;
  }
}

function renameIn(
  store: Store,
  row: MemoryChangeRow,
  renamed: (hash: string | null) => string | null,
): void {
  const [before, after] = [renamed(row.before), renamed(row.after)];
  if (before === row.before && after === row.after) return;
  store.patch(memoryChangeTable, [row.change_id], { before, after });
}
