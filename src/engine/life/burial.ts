import type { ErrorData } from "../../schema/errors.ts";
import type { Address, EventMeta } from "../../schema/events/event.ts";
import type { LiveActor } from "../actor-cache.ts";
import { endLife } from "./end-of-life.ts";
import { eventOf, writeJournal } from "../journal.ts";
import { type Delivery, isBirth } from "../mail/mail.ts";
import { bounced, type Consequences, mailBy, type Scene } from "../scene.ts";
import { type ActorRow, deadLetterTable } from "../tables.ts";

/** What cannot be delivered, and actors that are set aside. */

export type Burial = {
  readonly delivery: Delivery;
  readonly meta: EventMeta;
  readonly reason: string;
  readonly error?: ErrorData;
  readonly actor?: ActorRow | undefined;
};

/** A dead letter: kept, journaled, and said to whoever sent it. */
export function bury({ tx }: Scene, burial: Burial): Consequences {
  const { delivery, meta, reason, error = null, actor } = burial;
  writeJournal(tx, { delivery, meta, outcome: "dead", reason, before: actor, after: actor });
  const { at, seq, trace, self } = meta;
  const event = eventOf(delivery);
  tx.store.put(deadLetterTable, { seq, at, address: self, event, reason, error, trace });
  const result = { seq, outcome: "dead", state: actor?.state ?? "", reason } as const;
  return { result, first: [], then: bounced(delivery, meta, reason) };
}

export type Failure = {
  readonly delivery: Delivery;
  readonly meta: EventMeta;
  readonly error: ErrorData;
};

/** The event, or the birth, is a dead letter; the actor stays at its last good snapshot; its supervisor hears of it. */
export function buryFailed(scene: Scene, failure: Failure): Consequences {
  const { delivery, meta, error } = failure;
  const actor = scene.tx.actor(meta.self);
  const reason = `${error.code}: ${error.message}`;
  if (isBirth(delivery)) {
    const { supervisor, parent, machine } = delivery.birth;
    const dead = bury(scene, { delivery, meta, reason, error });
    return { ...dead, then: failureReport(supervisor ?? parent, { meta, machine, error }) };
  }
  if (actor?.row.status !== "active") {
    return bury(scene, { delivery, meta, reason, error, actor: actor?.row });
  }
  const followed = setAside(scene, actor, { meta, error });
  const { row } = scene.tx.actor(meta.self) ?? actor;
  const dead = bury(scene, { delivery, meta, reason, error, actor: row });
  return { ...dead, then: [...followed, ...dead.then] };
}

/** Quarantine: the actor takes no more events, what it runs is stopped, its children are asked to end. */
export function setAside(
  scene: Scene,
  actor: LiveActor,
  failure: { readonly meta: EventMeta; readonly error: ErrorData },
): Delivery[] {
  const { meta, error } = failure;
  const row = scene.tx.updateActor(
    { row: actor.row, state: undefined },
    { status: "quarantined", error, ended_at: scene.tx.now, seq: meta.seq },
  );
  const report = failureReport(row.supervisor, { meta, machine: row.machine, error });
  return [...endLife(scene, row, meta), ...report];
}

function failureReport(
  supervisor: Address | null,
  failure: { readonly meta: EventMeta; readonly machine: string; readonly error: ErrorData },
): Delivery[] {
  if (supervisor === null) return [];
  const { meta, machine, error } = failure;
  return [mailBy(meta, supervisor, { type: "actor.failed", address: meta.self, machine, error })];
}
