import type { EventMeta } from "../schema/event.ts";
import type { KeyValue } from "../schema/table.ts";
import type { Delivery } from "./mail.ts";
import { mailBy, type Scene } from "./scene.ts";
import { type ActorRow, actorTable } from "./tables.ts";

/** What ends with an actor: its timers, its running activities, the rows it owns; its children are asked to end too. */
export function endLife(scene: Scene, row: ActorRow, meta: EventMeta): Delivery[] {
  const { parts, tx } = scene;
  for (const id of Object.keys(row.snapshot.timers)) parts.timers.cancel(tx, row.address, id);
  for (const [id, life] of Object.entries(row.snapshot.activities)) {
    if (!life.stopping) parts.activities.stop(tx, `${row.address}/${id}#${life.seq}`);
  }
  removeOwnedRows(scene, row.address);
  return tx.store
    .select(actorTable, { index: "by_parent", equals: [row.address, "active"] })
    .flatMap((child) => {
      const cancel = parts.machines.get(child.machine)?.cancelEvent;
      if (cancel === undefined) return [];
      return [mailBy(meta, child.address, { type: cancel, reason: "its parent has ended" })];
    });
}

function removeOwnedRows({ parts, tx }: Scene, address: string): void {
  for (const table of parts.tables.values()) {
    if (table.owner === undefined) continue;
    for (const owned of tx.store.select(table, { index: "by_owner", equals: [address] })) {
      tx.store.remove(table, ...table.key.map((column) => owned[column] as KeyValue));
    }
  }
}
