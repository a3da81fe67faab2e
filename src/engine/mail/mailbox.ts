import { type Delivery, isBirth } from "./mail.ts";
import { eventOf } from "../journal.ts";
import { mailTable } from "../tables.ts";
import type { Transaction } from "../transaction.ts";

/** Deliveries as rows, and rows as deliveries. */

export function storeMail(tx: Transaction, delivery: Delivery): number {
  const id = tx.nextSeq();
  const { address, origin, trace, cause } = delivery;
  const event = eventOf(delivery);
  const row = { id, address, event, origin, trace, cause, at: tx.now, attempts: 0 };
  tx.store.put(mailTable, { ...row, ...particulars(delivery) });
  return id;
}

function particulars(delivery: Delivery) {
  const none = { source: null, birth: null, creates: null, refused: null };
  if (isBirth(delivery)) return { ...none, birth: delivery.birth };
  const { source = null, create: creates = null, refused = null } = delivery;
  return { ...none, source, creates, refused };
}

/** Takes the row out of the mailbox; undefined when it was taken before. */
export function takeMail(tx: Transaction, id: number): Delivery | undefined {
  const delivery = readMail(tx, id);
  if (delivery !== undefined) tx.store.remove(mailTable, id);
  return delivery;
}

export function readMail(tx: Transaction, id: number): Delivery | undefined {
  const row = tx.store.get(mailTable, id);
  if (row === undefined) return undefined;
  const { address, origin, trace, cause, event, source, birth, creates, refused } = row;
  if (birth !== null) return { address, origin, trace, cause, birth };
  return {
    address,
    origin,
    trace,
    cause,
    event,
    ...(source === null ? {} : { source }),
    ...(creates === null ? {} : { create: creates }),
    ...(refused === null ? {} : { refused }),
  };
}
