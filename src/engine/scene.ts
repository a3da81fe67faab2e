import type { Clock } from "../ports/clock.ts";
import type { EventData, EventMeta } from "../schema/events/event.ts";
import type { Table } from "../schema/rows/table.ts";
import type { Activities } from "./activities/activities.ts";
import type { EngineLimits, Lookup, Notice, RowCompletion, SendResult } from "./engine.ts";
import type { MachineRegistry } from "./machine-registry.ts";
import { type Delivery, isBirth } from "./mail/mail.ts";
import type { Timers } from "./timers.ts";
import type { Transaction } from "./transaction.ts";

/** What stays the same from transaction to transaction. */
export type EngineParts = {
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly machines: MachineRegistry;
  readonly lookups: { readonly [name: string]: Lookup };
  readonly tables: ReadonlyMap<string, Table>;
  readonly completions: { readonly [table: string]: RowCompletion };
  readonly activities: Activities;
  readonly timers: Timers;
  readonly notify: (notice: Notice) => void;
};

/** What every delivery works in. */
export type Scene = { readonly parts: EngineParts; readonly tx: Transaction };

/** What a delivery leads to. */
export type Consequences = {
  readonly result: SendResult;
  /** Answers of lookups: before everything else that waits in the cascade. */
  readonly first: readonly Delivery[];
  readonly then: readonly Delivery[];
};

/** The number and circumstances of the step that this delivery is about to take. */
export function metaOf(tx: Transaction, delivery: Delivery): EventMeta {
  const { address, trace, cause, origin } = delivery;
  return { at: tx.now, seq: tx.nextSeq(), trace, cause, origin, self: address };
}

/** An event by which the engine itself speaks to an actor, in the name of the step that caused it. */
export function mailBy(meta: EventMeta, address: string, event: EventData): Delivery {
  return { address, event, origin: "actor", trace: meta.trace, cause: meta.seq };
}

/** To a sender who wants to know: the mail was not taken, and why. */
export function bounced(delivery: Delivery, meta: EventMeta, reason: string): readonly Delivery[] {
  if (isBirth(delivery) || delivery.refused === undefined) return [];
  const { to, event } = delivery.refused;
  return [mailBy(meta, to, { ...event, reason })];
}
