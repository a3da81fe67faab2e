import { sameness } from "../../../memory/entries/entries.ts";
import type { CommittedReader, RowReader, RowWriter } from "../../../ports/store.ts";
import type { ForgottenRecalls } from "../../../schema/activities.ts";
import type { MemoryHit } from "../../../schema/memory.ts";
import { type RecallRow, recallTable } from "../../../schema/rows/memory-rows.ts";

/** What runs were reminded of is shown to them again in each round, and to their forks: what was forgotten goes from there, too. */

const rowsAtOnce = 200;

/** @param forgotten texts as `sameness` has them, and `unframed` */
export async function recallsHolding(
  read: CommittedReader,
  forgotten: ReadonlySet<string>,
): Promise<ForgottenRecalls> {
  const rows: { run_id: string; kept: number[] }[] = [];
  let [after, until] = ["", 0];
  for (;;) {
    const found = await read.select(recallTable, { index: "key", after, limit: rowsAtOnce });
    for (const row of found) {
      until = Math.max(until, row.at);
      const kept = keptHits(row, forgotten);
      if (kept.length < row.hits.length) rows.push({ run_id: row.run_id, kept });
    }
    const last = found.at(-1);
    if (last === undefined) return { rows, until };
    after = last.run_id;
  }
}

function keptHits({ hits }: RecallRow, forgotten: ReadonlySet<string>): number[] {
  return hits.flatMap((hit, index) => (saysAny(hit, forgotten) ? [] : [index]));
}

/** A piece may be of a longer memory, or hold several. */
function saysAny({ text }: MemoryHit, forgotten: ReadonlySet<string>): boolean {
  const said = sameness(text);
  return [...forgotten].some((same) => said.includes(same) || same.includes(said));
}

/** Nobody has looked at what was recalled since: all of it goes. */
export function forgetRecalls(
  store: RowReader & RowWriter,
  { rows, until }: ForgottenRecalls,
): void {
  const looked = new Map(rows.map(({ run_id, kept }) => [run_id, new Set(kept)]));
  for (const [run_id, kept] of looked) {
    const row = store.get(recallTable, run_id);
    const hits = row?.hits.filter((_, index) => kept.has(index));
    if (hits !== undefined) store.patch(recallTable, [run_id], { hits });
  }
  for (const { run_id } of store.select(recallTable, { index: "by_at", after: until }))
    store.patch(recallTable, [run_id], { hits: [] });
}
