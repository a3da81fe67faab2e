import type { Delivery } from "./mail.ts";
import { isBirth } from "./mail.ts";
import { type MailRow, mailTable } from "./tables.ts";
import type { Transaction } from "./transaction.ts";

/** Deliveries as rows, and rows as deliveries. */

export function storeMail(tx: Transaction, delivery: Delivery): number {
  const id = tx.nextSeq();
  const { address, origin, trace, cause } = delivery;
  const row: MailRow = {
    id,
    address,
    event: isBirth(delivery) ? { type: "actor.created" } : delivery.event,
    origin,
    trace,
    cause,
    source: isBirth(delivery) ? null : (delivery.source ?? null),
    birth: isBirth(delivery) ? delivery.birth : null,
    at: tx.now,
    attempts: 0,
  };
  tx.store.put(mailTable, row);
  return id;
}

/** Takes the row out of the mailbox; undefined when it was taken before. */
export function takeMail(tx: Transaction, id: number): Delivery | undefined {
  const row = tx.store.get(mailTable, id);
  if (row === undefined) return undefined;
  tx.store.remove(mailTable, id);
  const { address, origin, trace, cause, event, source, birth } = row;
  if (birth !== null) return { address, origin, trace, cause, birth };
  return { address, origin, trace, cause, event, ...(source === null ? {} : { source }) };
}
