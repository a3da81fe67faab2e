import type { Retention } from "../../engine/engine.ts";
import { journalTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { historyCutTable, pastCutTable } from "../../schema/rows/model-rows.ts";
import { positionOf } from "../../schema/position.ts";

/** Where a conversation began once is for forks from then: of no use when the journal has no step left that came before its next cut. */
export async function unusedCuts(read: CommittedReader): Promise<NonNullable<Retention["rows"]>> {
  const [oldest] = await read.select(journalTable, { index: "key", limit: 1 });
  const end = oldest === undefined ? Infinity : positionOf(oldest.seq + 1);
  const cuts = await read.select(pastCutTable, { index: "key" });
  const unused: NonNullable<Retention["rows"]>[number][] = [];
  for (const [at, { session_id, made_at_position }] of cuts.entries()) {
    const later = cuts[at + 1];
    const isOfSame = later?.session_id === session_id;
    const next = isOfSame ? later : await read.get(historyCutTable, session_id);
    if (next === undefined || next.made_at_position >= end) continue;
    const exactly = { from: made_at_position, upTo: made_at_position };
    const query = { index: "by_session", equals: [session_id], ...exactly };
    unused.push({ table: pastCutTable.name, query });
  }
  return unused;
}
