import type { CommittedReader } from "../../ports/store.ts";
import type { KeptVersion, MemoryVersions } from "../../ports/memory-versions.ts";
import { memoryChangeTable, memoryFileTable } from "../../schema/memory-rows.ts";

const dayMs = 86_400_000;
/** By then no change that is being made needs them. */
const unnamedDays = 2;
/** A change that ended is not asked for again. */
const notesDays = 8;
const rowsAtOnce = 500;

export type TidyingVersions = {
  readonly read: CommittedReader;
  readonly versions: MemoryVersions;
  readonly now: number;
};

/** Takes away versions that no row names any more, and notes of changes that ended long ago. */
export async function tidyVersions({ read, versions, now }: TidyingVersions): Promise<void> {
  const isOld = (days: number) => (kept: KeptVersion) => kept.kept_at < now - days * dayMs;
  for (const note of (await versions.notes()).filter(isOld(notesDays)))
    await versions.forgetNote(note.hash);
  const old = (await versions.list()).filter(isOld(unnamedDays));
  if (old.length === 0) return;
  const named = await namedVersions(read);
  for (const { hash } of old) if (!named.has(hash)) await versions.remove(hash);
}

async function namedVersions(read: CommittedReader): Promise<Set<string | null>> {
  const files = await read.select(memoryFileTable, { index: "key" });
  const named = new Set<string | null>(files.map(({ hash }) => hash));
  let after = 0;
  for (;;) {
    const query = { index: "by_n", after, limit: rowsAtOnce };
    const rows = await read.select(memoryChangeTable, query);
    for (const row of rows) named.add(row.before).add(row.after);
    const last = rows.at(-1);
    if (last === undefined) return named;
    after = last.n;
  }
}
