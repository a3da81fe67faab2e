import type { EventMeta } from "../../schema/events/event.ts";
import type { KeyValue, Table } from "../../schema/rows/table.ts";
import { isWhole } from "../kernel/actor-state.ts";
import type { Delivery } from "../mail/mail.ts";
import { mailBy, type Scene } from "../scene.ts";
import { activityTable, type ActorRow, actorTable, timerTable } from "../tables.ts";
import type { Transaction } from "../transaction.ts";

/** What ends with an actor: its timers, its running activities, the rows it owns; its children are asked to end too. */
export function endLife(scene: Scene, row: ActorRow, meta: EventMeta): Delivery[] {
  const { parts, tx } = scene;
  const { timers, activities } = openWorkOf(tx, row);
  for (const id of timers) parts.timers.cancel(tx, row.address, id);
  for (const key of activities) parts.activities.stop(tx, key);
  removeOwnedRows(scene, row.address);
  return tx.store
    .select(actorTable, { index: "by_parent", equals: [row.address, "active"] })
    .flatMap((child) => {
      const cancel = parts.machines.get(child.machine)?.cancelEvent;
      if (cancel === undefined) return [];
      return [mailBy(meta, child.address, { type: cancel, reason: "its parent has ended" })];
    });
}

type OpenWork = {
  /** By id. */
  readonly timers: readonly string[];
  /** By key. */
  readonly activities: readonly string[];
};

/** As the snapshot says, which costs no read; a damaged one says nothing, and then its rows do. */
function openWorkOf(tx: Transaction, row: ActorRow): OpenWork {
  if (!isWhole(row.snapshot)) return openWorkInRows(tx, row);
  const { timers, activities } = row.snapshot;
  const running = Object.entries(activities).filter(([, { stopping }]) => !stopping);
  return {
    timers: Object.keys(timers),
    activities: running.map(([id, { seq }]) => `${row.address}/${id}#${seq}`),
  };
}

function openWorkInRows(tx: Transaction, { address }: ActorRow): OpenWork {
  const timers = tx.store.select(timerTable, { index: "key", from: address, upTo: address });
  const below = { index: "key", from: `${address}/`, before: `${address}/\u{10ffff}` };
  const activities = tx.store
    .select(activityTable, below)
    .filter((one) => one.address === address && one.status !== "stopping");
  return { timers: timers.map(({ id }) => id), activities: activities.map(({ key }) => key) };
}

function removeOwnedRows({ parts, tx }: Scene, address: string): void {
  for (const table of parts.tables.values()) {
    if (table.owner !== undefined) removeRowsOf(tx, table, address);
  }
}

/** Those of places below the owner too, where a table has them: not all of these are actors that end by themselves. */
export function removeRowsOf(tx: Transaction, table: Table, owner: string): void {
  const below = { index: "by_place", from: `${owner}/`, before: `${owner}/\u{10ffff}` };
  const queries = [
    { index: "by_owner", equals: [owner] },
    ...(Object.hasOwn(table.indexes, below.index) ? [below] : []),
  ];
  for (const owned of queries.flatMap((query) => tx.store.select(table, query))) {
    tx.store.remove(table, ...table.key.map((column) => owned[column] as KeyValue));
  }
}
