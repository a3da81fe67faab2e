import { AgentError, type ErrorData, toErrorData } from "../schema/errors.ts";
import type { Address, EventData, EventMeta, Outcome } from "../schema/event.ts";
import type { JsonObject } from "../schema/json.ts";
import { type ActorState, statePath, tagsOf, toStored } from "./actor-state.ts";
import type { LiveActor } from "./actor-cache.ts";
import { carryOut, type Carrier, endOfLife } from "./effects.ts";
import type { SendResult } from "./engine.ts";
import { assertJson } from "./json-check.ts";
import { firstStep, nextStep, type Step } from "./kernel.ts";
import { type Birth, type Delivery, isBirth, type Mail } from "./mail.ts";
import { type ActorRow, deadLetterTable } from "./tables.ts";
import type { Transaction } from "./transaction.ts";

/** One delivery inside a transaction: step, rows, and what follows from it. */

export type Delivered = {
  readonly result: SendResult;
  /** Answers of lookups: before everything else that waits in the cascade. */
  readonly first: readonly Delivery[];
  readonly then: readonly Delivery[];
};

export function deliver(carrier: Carrier, tx: Transaction, delivery: Delivery): Delivered {
  if (isBirth(delivery)) return giveBirth(carrier, tx, delivery);
  return deliverMail(carrier, tx, ofOneTrace(tx, delivery));
}

function deliverMail(carrier: Carrier, tx: Transaction, mail: Mail): Delivered {
  const actor = tx.actor(mail.address);
  if (actor === undefined)
    return undeliverable(tx, mail, "actor.not_found: nobody lives at this address");
  const { status } = actor.row;
  if (status === "quarantined")
    return undeliverable(tx, mail, "actor.quarantined: the actor was set aside", actor.row);
  if (status !== "active" || actor.state === undefined) {
    return note(tx, mail, {
      outcome: "rejected",
      reason: `actor.ended: it is ${status}`,
      actor: actor.row,
    });
  }
  const meta = metaOf(tx, mail);
  let step: Step;
  try {
    step = nextStep(actor.state, mail.event, meta, mail.source);
    checkJson(step, actor.state);
  } catch (thrown) {
    return quarantine(carrier, tx, { actor, delivery: mail, error: toErrorData(thrown) });
  }
  return step.accepted
    ? accept(carrier, tx, { actor, mail, step, meta })
    : refuse(tx, { actor, mail, step, seq: meta.seq });
}

/** A child works for the message that it was made for, whoever speaks to it: all that it does has that trace. */
function ofOneTrace(tx: Transaction, mail: Mail): Mail {
  const row = tx.actor(mail.address)?.row;
  return row === undefined || row.parent === null ? mail : { ...mail, trace: row.trace };
}

function metaOf(tx: Transaction, delivery: Delivery): EventMeta {
  return {
    at: tx.now,
    seq: tx.nextSeq(),
    trace: delivery.trace,
    cause: delivery.cause,
    origin: delivery.origin,
    self: delivery.address,
  };
}

function checkJson(step: Step, before: ActorState | undefined): void {
  const { context } = step.state.snapshot;
  if (context !== before?.snapshot.context) assertJson(context, "context");
  for (const effect of step.effects) assertJson(effect, effect.kind);
}

type Accepted = {
  readonly actor: LiveActor;
  readonly mail: Mail;
  readonly step: Step;
  readonly meta: EventMeta;
};

function accept(carrier: Carrier, tx: Transaction, accepted: Accepted): Delivered {
  const { actor, mail, step, meta } = accepted;
  const state = statePath(step.state.snapshot.value);
  const ended = step.state.snapshot.status === "done";
  const next = tx.updateActor(
    { row: actor.row, state: ended ? undefined : step.state },
    {
      snapshot: toStored(step.state),
      seq: meta.seq,
      ...shown(actor.row, step.state, tx.now),
      ...(ended ? { status: "done", ended_at: tx.now } : {}),
    },
  );
  tx.journal(
    journalRow(mail, meta.seq, {
      at: tx.now,
      outcome: "handled",
      before: actor.row,
      after: next.row,
    }),
    next.row,
  );
  const { first, then } = carryOut(carrier, tx, { row: next.row, effects: step.effects, meta });
  const last = ended ? endOfLife(carrier, tx, next.row, meta) : [];
  return { result: { seq: meta.seq, outcome: "handled", state }, first, then: [...then, ...last] };
}

/** The columns that people watch, where the step changed them. */
function shown(row: ActorRow, next: ActorState, now: number): Partial<ActorRow> {
  const state = statePath(next.snapshot.value);
  const tags = tagsOf(next.snapshot);
  return {
    ...(state === row.state ? {} : { state, since: now }),
    ...(tags.join() === row.tags.join() ? {} : { tags }),
  };
}

type Refused = {
  readonly actor: LiveActor;
  readonly mail: Mail;
  readonly step: Step;
  readonly seq: number;
};

function refuse(tx: Transaction, refused: Refused): Delivered {
  const { actor, mail, step, seq } = refused;
  let { row } = actor;
  if (step.state !== actor.state) {
    row = tx.updateActor({ row, state: step.state }, { snapshot: toStored(step.state), seq }).row;
  }
  const reason = step.reason ?? "not accepted";
  tx.journal(
    journalRow(mail, seq, { at: tx.now, outcome: "rejected", reason, before: row, after: row }),
    row,
  );
  return { result: { seq, outcome: "rejected", state: row.state, reason }, first: [], then: [] };
}

function giveBirth(carrier: Carrier, tx: Transaction, delivery: Birth): Delivered {
  const { address, birth } = delivery;
  const entry = carrier.machines.get(birth.machine);
  const living = tx.actor(address);
  const meta = metaOf(tx, delivery);
  try {
    if (entry === undefined)
      throw new AgentError("internal", `no machine is called ${birth.machine}`);
    if (living?.row.status === "active" && birth.restart !== true) {
      throw new AgentError("actor.exists", `${address} lives already`);
    }
    const step = firstStep(entry.machine, birth.input, meta);
    checkJson(step, undefined);
    return begin(carrier, tx, {
      delivery,
      version: entry.version,
      restart: entry.restart ?? "temporary",
      step,
      meta,
    });
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return stillborn(tx, delivery, meta.seq, toErrorData(thrown));
  }
}

type Begun = {
  readonly delivery: Birth;
  readonly version: string;
  readonly restart: ActorRow["restart"];
  readonly step: Step;
  readonly meta: EventMeta;
};

function begin(carrier: Carrier, tx: Transaction, begun: Begun): Delivered {
  const { delivery, step, meta } = begun;
  const ended = step.state.snapshot.status === "done";
  const row: ActorRow = {
    address: delivery.address,
    machine: delivery.birth.machine,
    version: begun.version,
    parent: delivery.birth.parent,
    supervisor: delivery.birth.supervisor ?? delivery.birth.parent,
    restart: begun.restart,
    input: delivery.birth.input,
    snapshot: toStored(step.state),
    state: statePath(step.state.snapshot.value),
    tags: tagsOf(step.state.snapshot),
    status: ended ? "done" : "active",
    seq: meta.seq,
    since: tx.now,
    trace: delivery.trace,
    created_at: tx.now,
    ended_at: ended ? tx.now : null,
    error: null,
  };
  tx.insertActor({ row, state: ended ? undefined : step.state });
  tx.journal(
    journalRow(bornMail(delivery), meta.seq, { at: tx.now, outcome: "handled", after: row }),
    row,
  );
  const { first, then } = carryOut(carrier, tx, { row, effects: step.effects, meta });
  const last = ended ? endOfLife(carrier, tx, row, meta) : [];
  return {
    result: { seq: meta.seq, outcome: "handled", state: row.state },
    first,
    then: [...then, ...last],
  };
}

function bornMail(delivery: Birth): Mail {
  const { address, trace, cause, origin, birth } = delivery;
  return { address, trace, cause, origin, event: { type: "actor.created", input: birth.input } };
}

function stillborn(tx: Transaction, delivery: Birth, seq: number, error: ErrorData): Delivered {
  const mail = bornMail(delivery);
  const reason = `${error.code}: ${error.message}`;
  tx.journal(journalRow(mail, seq, { at: tx.now, outcome: "dead", reason }), undefined);
  tx.store.put(deadLetterTable, {
    seq,
    at: tx.now,
    address: mail.address,
    event: mail.event,
    reason,
    error,
    trace: mail.trace,
  });
  const supervisor = delivery.birth.supervisor ?? delivery.birth.parent;
  return {
    result: { seq, outcome: "dead", state: "", reason },
    first: [],
    then: failureReport(supervisor, { delivery, seq, machine: delivery.birth.machine, error }),
  };
}

type Poisoned = { readonly actor: LiveActor; readonly delivery: Mail; readonly error: ErrorData };

/** The event is a dead letter, the actor stays at its last good snapshot, its supervisor hears of it, its children are asked to end. */
export function quarantine(carrier: Carrier, tx: Transaction, poisoned: Poisoned): Delivered {
  const { actor, delivery, error } = poisoned;
  const seq = tx.seq;
  const next = tx.updateActor(
    { row: actor.row, state: undefined },
    { status: "quarantined", error, ended_at: tx.now, seq },
  );
  const dead = bury(tx, delivery, {
    seq,
    reason: `${error.code}: ${error.message}`,
    error,
    actor: next.row,
  });
  const meta: EventMeta = {
    at: tx.now,
    seq,
    trace: delivery.trace,
    cause: delivery.cause,
    origin: "actor",
    self: next.row.address,
  };
  const orphans = endOfLife(carrier, tx, next.row, meta);
  const { supervisor, machine } = next.row;
  const report = failureReport(supervisor, { delivery, seq, machine, error });
  return { ...dead, then: [...orphans, ...report] };
}

type Failure = {
  readonly delivery: Delivery;
  readonly seq: number;
  readonly machine: string;
  readonly error: ErrorData;
};

function failureReport(supervisor: Address | null, failure: Failure): Mail[] {
  if (supervisor === null) return [];
  const { delivery, seq, machine, error } = failure;
  const event: EventData = {
    type: "actor.failed",
    address: delivery.address,
    machine,
    error: error as unknown as JsonObject,
  };
  return [{ address: supervisor, event, origin: "actor", trace: delivery.trace, cause: seq }];
}

function undeliverable(tx: Transaction, mail: Mail, reason: string, actor?: ActorRow): Delivered {
  return bury(tx, mail, { seq: tx.nextSeq(), reason, error: null, actor });
}

type Burial = {
  readonly seq: number;
  readonly reason: string;
  readonly error: ErrorData | null;
  readonly actor: ActorRow | undefined;
};

function bury(tx: Transaction, mail: Mail, burial: Burial): Delivered {
  const { seq, reason, error, actor } = burial;
  tx.journal(
    journalRow(mail, seq, { at: tx.now, outcome: "dead", reason, before: actor, after: actor }),
    actor,
  );
  tx.store.put(deadLetterTable, {
    seq,
    at: tx.now,
    address: mail.address,
    event: mail.event,
    reason,
    error,
    trace: mail.trace,
  });
  return {
    result: { seq, outcome: "dead", state: actor?.state ?? "", reason },
    first: [],
    then: [],
  };
}

function note(
  tx: Transaction,
  mail: Mail,
  noted: { outcome: Outcome; reason: string; actor: ActorRow },
): Delivered {
  const seq = tx.nextSeq();
  const { outcome, reason, actor } = noted;
  tx.journal(
    journalRow(mail, seq, { at: tx.now, outcome, reason, before: actor, after: actor }),
    actor,
  );
  return { result: { seq, outcome, state: actor.state, reason }, first: [], then: [] };
}

type Recorded = {
  readonly at: number;
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly before?: ActorRow | undefined;
  readonly after?: ActorRow | undefined;
};

function journalRow(mail: Mail, seq: number, recorded: Recorded) {
  return {
    seq,
    at: recorded.at,
    address: mail.address,
    machine: (recorded.after ?? recorded.before)?.machine ?? "",
    event_type: mail.event.type,
    event: mail.event,
    origin: mail.origin,
    outcome: recorded.outcome,
    reason: recorded.reason ?? null,
    state_before: recorded.before?.state ?? null,
    state_after: recorded.after?.state ?? null,
    trace: mail.trace,
    cause: mail.cause,
  };
}
