import type { Query, Table } from "../schema/table.ts";
import type { Retention } from "./engine.ts";
import type { Pump } from "./pump.ts";
import { actorTable, idempotencyTable, journalTable } from "./tables.ts";
import type { KeyValue } from "../schema/table.ts";
import type { Transaction } from "./transaction.ts";

const rowsPerTransaction = 500;

type Target = {
  readonly table: Table;
  readonly query: Query;
  readonly expired: (row: Record<string, unknown>) => boolean;
};

function targets(keep: Retention, tables: ReadonlyMap<string, Table>): Target[] {
  return [
    ...(keep.rows ?? []).map(({ table, before }) => ({
      table: tables.get(table) as Table,
      query: { index: "key" },
      expired: (row: Record<string, unknown>) => (row["at"] as number) < before,
    })),
    {
      table: journalTable as unknown as Table,
      query: { index: "key" },
      expired: (row) => (row["at"] as number) < keep.journalBefore,
    },
    {
      table: actorTable as unknown as Table,
      query: { index: "by_end", from: 1, before: keep.endedActorsBefore },
      expired: () => true,
    },
    {
      table: idempotencyTable as unknown as Table,
      query: { index: "by_at", before: keep.idempotencyBefore },
      expired: () => true,
    },
  ];
}

/** Deletes what retention no longer keeps, oldest first, a few hundred rows a transaction, so that nobody waits for it.
 *  @returns how many rows went */
export async function prune(
  pump: Pump,
  keep: Retention,
  tables: ReadonlyMap<string, Table>,
): Promise<number> {
  let total = 0;
  for (const target of targets(keep, tables)) {
    let gone: number;
    do {
      gone = await pruneSome(pump, target);
      total += gone;
    } while (gone === rowsPerTransaction);
  }
  return total;
}

function pruneSome(pump: Pump, target: Target): Promise<number> {
  let gone = 0;
  return new Promise((resolve, reject) => {
    pump.push({
      label: `prune ${target.table.name}`,
      external: true,
      prepare: (tx) => {
        gone = removeExpired(tx, target);
        return [];
      },
      done: () => resolve(gone),
      failed: reject,
    });
  });
}

function removeExpired(tx: Transaction, { table, query, expired }: Target): number {
  const rows = tx.store.select(table, { ...query, limit: rowsPerTransaction }).filter(expired);
  for (const row of rows)
    tx.store.remove(table, ...table.key.map((column) => row[column] as KeyValue));
  return rows.length;
}
