import { toErrorData } from "../schema/errors.ts";
import type { EventMeta } from "../schema/events/event.ts";
import type { ActorState } from "./kernel/actor-state.ts";
import { statePath, tagsOf, toStored } from "./kernel/actor-state.ts";
import { giveBirth } from "./life/birth.ts";
import { bury, buryFailed } from "./life/burial.ts";
import { carryOut, checkStep } from "./effects.ts";
import { endLife } from "./life/end-of-life.ts";
import type { SendResult } from "./engine.ts";
import { writeJournal } from "./journal.ts";
import { nextStep, type Step } from "./kernel/kernel.ts";
import { type Delivery, isBirth, type Mail, type Making } from "./mail/mail.ts";
import { bounced, type Consequences, metaOf, type Scene } from "./scene.ts";
import type { ActorRow } from "./tables.ts";

/** One delivery inside a transaction: step, rows, and what follows from it.
 *  @throws whatever the store refuses, and what keeps an effect from being carried out */
export function deliver(scene: Scene, sent: Delivery): Consequences {
  if (isBirth(sent)) return giveBirth(scene, sent);
  if (sent.create !== undefined) return deliverToMade(scene, sent, sent.create);
  const actor = scene.tx.actor(sent.address);
  const delivery = ofOneTrace(sent, actor?.row);
  const meta = metaOf(scene.tx, delivery);
  if (actor === undefined) {
    const reason = "actor.not_found: nobody lives at this address";
    return bury(scene, { delivery, meta, reason });
  }
  const { row, state, fault } = actor;
  if (row.status === "quarantined") {
    const reason = "actor.quarantined: the actor was set aside";
    return bury(scene, { delivery, meta, reason, actor: row });
  }
  if (fault !== undefined) return buryFailed(scene, { delivery, meta, error: fault });
  if (state === undefined)
    return reject(scene, { mail: delivery, meta, row }, `actor.ended: it is ${row.status}`);
  return stepActor(scene, { mail: delivery, meta, row }, state);
}

/** The birth, if nobody lives there, and then the mail, before everything else. */
function deliverToMade(scene: Scene, mail: Mail, birth: Making): Consequences {
  const { create: _made, ...sent } = mail;
  const status = scene.tx.actor(mail.address)?.row.status;
  if (status === "active" || status === "quarantined") return deliver(scene, sent);
  const { address, trace, cause, origin } = mail;
  const born = giveBirth(scene, { address, birth, trace, cause, origin });
  return { ...born, first: [...born.first, sent] };
}

/** A child works for the message that it was made for, whoever speaks to it: all that it does has that trace. */
function ofOneTrace(mail: Mail, row: ActorRow | undefined): Mail {
  return row === undefined || row.parent === null ? mail : { ...mail, trace: row.trace };
}

type Receipt = { readonly mail: Mail; readonly meta: EventMeta; readonly row: ActorRow };

function stepActor(scene: Scene, receipt: Receipt, state: ActorState): Consequences {
  const { mail, meta, row } = receipt;
  let step: Step;
  try {
    step = nextStep(state, { ...mail.event, $: meta }, mail.source);
    checkStep(step, state);
  } catch (thrown) {
    return buryFailed(scene, { delivery: mail, meta, error: toErrorData(thrown) });
  }
  if (step.accepted) return accept(scene, receipt, step);
  if (step.state !== state) {
    const changes = { snapshot: toStored(step.state), seq: meta.seq };
    scene.tx.updateActor({ row, state: step.state }, changes);
  }
  return reject(scene, receipt, step.reason ?? "not accepted");
}

function accept(scene: Scene, { mail, meta, row: before }: Receipt, step: Step): Consequences {
  const { tx } = scene;
  const ended = step.state.snapshot.status === "done";
  const row = tx.updateActor(
    { row: before, state: ended ? undefined : step.state },
    {
      snapshot: toStored(step.state),
      seq: meta.seq,
      ...changesShown(before, step.state, tx.now),
      ...(ended ? { status: "done", ended_at: tx.now } : {}),
    },
  );
  const outcome = outcomeOf(step);
  writeJournal(tx, { delivery: mail, meta, ...outcome, before, after: row });
  const { first, then } = carryOut(scene, { row, effects: step.effects, meta });
  const last = ended ? endLife(scene, row, meta) : [];
  const result = { seq: meta.seq, ...outcome, state: row.state };
  const refusal = outcome.reason === undefined ? [] : bounced(mail, meta, outcome.reason);
  return { result, first, then: [...then, ...last, ...refusal] };
}

/** A transition may say no to the event that it takes. */
function outcomeOf({ effects }: Step): Pick<SendResult, "outcome" | "reason"> {
  const refusal = effects.find((effect) => effect.kind === "refuse");
  if (refusal === undefined) return { outcome: "handled" };
  return { outcome: "rejected", reason: `${refusal.code}: ${refusal.message}` };
}

/** The columns that people watch, where the step changed them. */
function changesShown(row: ActorRow, next: ActorState, now: number): Partial<ActorRow> {
  const state = statePath(next.snapshot.value);
  const tags = tagsOf(next.snapshot);
  return {
    ...(state === row.state ? {} : { state, since: now }),
    ...(tags.join() === row.tags.join() ? {} : { tags }),
  };
}

function reject({ tx }: Scene, { mail, meta, row }: Receipt, reason: string): Consequences {
  const outcome = "rejected";
  writeJournal(tx, { delivery: mail, meta, outcome, reason, before: row, after: row });
  const result = { seq: meta.seq, outcome, state: row.state, reason } as const;
  return { result, first: [], then: bounced(mail, meta, reason) };
}
