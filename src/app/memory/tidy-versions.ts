import type { CommittedReader } from "../../ports/store.ts";
import type { KeptVersion, MemoryVersions } from "../../ports/memory-versions.ts";
import { memoryChangeTable, memoryFileTable } from "../../schema/rows/memory-rows.ts";

const dayMs = 86_400_000;
/** By then no change that is being made needs them. */
const unnamedDays = 2;
/** A change that ended is not asked for again. */
const notesDays = 8;
/** A change that is being made may want what was kept in the last hour. */
const roomDays = 1 / 24;
const rowsAtOnce = 500;

export type TidyingVersions = {
  readonly read: CommittedReader;
  readonly versions: MemoryVersions;
  readonly now: number;
  /** What versions may take of the disk. */
  readonly mostBytes: number;
};

/** Takes away versions that no row names any more, the oldest ones where all take too much, and notes of changes that ended long ago.
 *  @returns how many went although a change names them */
export async function tidyVersions(tidying: TidyingVersions): Promise<number> {
  const { read, versions, now } = tidying;
  const isOld = (days: number) => (kept: KeptVersion) => kept.kept_at < now - days * dayMs;
  for (const note of (await versions.notes()).filter(isOld(notesDays)))
    await versions.forgetNote(note.hash);
  const kept = await versions.list();
  if (!kept.some(isOld(roomDays))) return 0;
  const present = await presentVersions(read);
  const named = await namedVersions(read, present);
  const isWanted = (each: KeptVersion) => named.has(each.hash) || !isOld(unnamedDays)(each);
  const unwanted = kept.filter((each) => !isWanted(each));
  const wanted = kept.filter(isWanted);
  const mayGo = wanted.filter((each) => !present.has(each.hash) && isOld(roomDays)(each));
  const tooMany = oldestAbove(mayGo, bytesOf(wanted) - tidying.mostBytes);
  for (const { hash } of [...unwanted, ...tooMany]) await versions.remove(hash);
  return tooMany.filter(({ hash }) => named.has(hash)).length;
}

/** @param tooMuch bytes that are to go */
function oldestAbove(kept: readonly KeptVersion[], tooMuch: number): KeptVersion[] {
  let left = tooMuch;
  return kept
    .toSorted((one, other) => one.kept_at - other.kept_at)
    .filter(({ bytes }) => {
      left -= bytes;
      return left + bytes > 0;
    });
}

function bytesOf(kept: readonly KeptVersion[]): number {
  return kept.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function presentVersions(read: CommittedReader): Promise<Set<string | null>> {
  const files = await read.select(memoryFileTable, { index: "key" });
  return new Set(files.map(({ hash }) => hash));
}

async function namedVersions(
  read: CommittedReader,
  present: ReadonlySet<string | null>,
): Promise<Set<string | null>> {
  const named = new Set(present);
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
