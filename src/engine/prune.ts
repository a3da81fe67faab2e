import type { KeyValue, Query, Table } from "../schema/table.ts";
import type { Retention } from "./engine.ts";
import type { Pump } from "./pump.ts";
import { actorTable, idempotencyTable, journalTable } from "./tables.ts";
import type { Transaction } from "./transaction.ts";

const rowsPerTransaction = 500;

type Target = {
  readonly table: Table;
  readonly query: Query;
  /** Where the index is not by age: what is younger than this stays. */
  readonly before?: number;
};

function targetsOf(keep: Retention): Target[] {
  const tables = [journalTable, actorTable, idempotencyTable] as readonly Table[];
  const [journal, actors, idempotency] = tables as [Table, Table, Table];
  return [
    { table: journal, query: { index: "key" }, before: keep.journalBefore },
    { table: actors, query: { index: "by_end", from: 1, before: keep.endedActorsBefore } },
    { table: idempotency, query: { index: "by_at", before: keep.idempotencyBefore } },
  ];
}

/** Deletes what retention no longer keeps, oldest first, a few hundred rows a transaction, so that nobody waits for it.
 *  @returns how many rows went */
export async function prune(pump: Pump, keep: Retention): Promise<number> {
  let total = 0;
  for (const target of targetsOf(keep)) {
    let gone: number;
    do {
      gone = await pruneSome(pump, target);
      total += gone;
    } while (gone === rowsPerTransaction);
  }
  return total;
}

function pruneSome(pump: Pump, target: Target): Promise<number> {
  return new Promise((resolve, reject) => {
    let gone = 0;
    pump.submit({
      label: `prune ${target.table.name}`,
      prepare: (tx) => {
        gone = removeExpired(tx, target);
        return [];
      },
      done: () => resolve(gone),
      failed: reject,
    });
  });
}

function removeExpired(tx: Transaction, { table, query, before = Infinity }: Target): number {
  const rows = tx.store
    .select(table, { ...query, limit: rowsPerTransaction })
    .filter((row) => query.index !== "key" || (row["at"] as number) < before);
  for (const row of rows)
    tx.store.remove(table, ...table.key.map((column) => row[column] as KeyValue));
  return rows.length;
}
