import type { EventData, EventMeta, Outcome } from "../schema/events/event.ts";
import { type Delivery, isBirth } from "./mail/mail.ts";
import type { ActorRow, JournalRow } from "./tables.ts";
import type { Transaction } from "./transaction.ts";

export type Entry = {
  readonly delivery: Delivery;
  readonly meta: EventMeta;
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly before?: ActorRow | undefined;
  readonly after?: ActorRow | undefined;
};

/** Every delivery leaves one row: what came, how it ended, from which state to which. */
export function writeJournal(tx: Transaction, entry: Entry): void {
  const { delivery, meta, outcome, reason = null, before, after } = entry;
  const event = eventOf(delivery);
  const row: JournalRow = {
    seq: meta.seq,
    at: meta.at,
    address: meta.self,
    machine: (after ?? before)?.machine ?? "",
    event_type: event.type,
    event,
    origin: meta.origin,
    outcome,
    reason,
    state_before: before?.state ?? null,
    state_after: after?.state ?? null,
    trace: meta.trace,
    cause: meta.cause,
  };
  tx.journal({ row, actor: after });
}

export function eventOf(delivery: Delivery): EventData {
  if (!isBirth(delivery)) return delivery.event;
  return { type: "actor.created", input: delivery.birth.input };
}
