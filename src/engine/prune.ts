import type { KeyValue, Query, Table } from "../schema/rows/table.ts";
import type { Retention } from "./engine.ts";
import type { Pump } from "./pump.ts";
import { actorTable, deadLetterTable, idempotencyTable, journalTable } from "./tables.ts";
import type { Transaction } from "./transaction.ts";

const rowsPerTransaction = 500;

type Target = {
  readonly table: Table;
  readonly query: Query;
  /** Where the index is not by age: what is younger than this stays. */
  readonly before?: number;
  readonly keepsNewest?: boolean;
};

function targetsOf(keep: Retention, domain: ReadonlyMap<string, Table>): Target[] {
  const tables = [journalTable, deadLetterTable, actorTable, idempotencyTable] as readonly Table[];
  const [journal, deadLetters, actors, idempotency] = tables as [Table, Table, Table, Table];
  return [
    ...(keep.rows ?? []).flatMap((rows): Target[] => {
      const table = domain.get(rows.table);
      if (table === undefined) return [];
      if ("query" in rows) return [{ table, query: rows.query }];
      const { before, index } = rows;
      if (index !== undefined) return [{ table, query: { index, before } }];
      return [{ table, query: { index: "key" }, before, keepsNewest: true }];
    }),
    { table: journal, query: { index: "key" }, before: keep.journalBefore },
    { table: deadLetters, query: { index: "key" }, before: keep.journalBefore },
    { table: actors, query: { index: "by_end", from: 1, before: keep.endedActorsBefore } },
    { table: idempotency, query: { index: "by_at", before: keep.idempotencyBefore } },
  ];
}

/** Deletes what retention no longer keeps, oldest first, a few hundred rows a transaction, so that nobody waits for it.
 *  @returns how many rows went */
export async function prune(
  pump: Pump,
  keep: Retention,
  domain: ReadonlyMap<string, Table>,
): Promise<number> {
  let total = 0;
  for (const target of targetsOf(keep, domain)) {
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

function removeExpired(tx: Transaction, target: Target): number {
  const { table, query, before = Infinity } = target;
  const keyOf = (row: Record<string, unknown>) =>
    table.key.map((column) => row[column] as KeyValue);
  const kept = target.keepsNewest === true ? newestKey(tx, target).join() : undefined;
  const rows = tx.store
    .select(table, { ...query, limit: rowsPerTransaction })
    .filter((row) => query.index !== "key" || (row["at"] as number) < before)
    .filter((row) => keyOf(row).join() !== kept);
  for (const row of rows) tx.store.remove(table, ...keyOf(row));
  return rows.length;
}

function newestKey(tx: Transaction, { table }: Target): unknown[] {
  const [newest] = tx.store.select(table, { index: "key", descending: true, limit: 1 });
  return table.key.map((column) => newest?.[column]);
}
