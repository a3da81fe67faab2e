import { AgentError } from "../schema/errors.ts";
import type { LookupParams, SendParams, SpawnParams, WriteParams } from "../schema/effect.ts";
import type { Address, EventMeta, Origin } from "../schema/events/event.ts";
import type { KeyValue } from "../schema/rows/table.ts";
import type { ActorState } from "./kernel/actor-state.ts";
import { assertJson } from "./kernel/json-check.ts";
import type { Step } from "./kernel/kernel.ts";
import type { StepEffect } from "./kernel/kernel-effects.ts";
import { type Delivery, resolveAddress } from "./mail/mail.ts";
import { removeRowsOf } from "./life/end-of-life.ts";
import { mailBy, type Scene } from "./scene.ts";
import type { ActorRow } from "./tables.ts";

/** Carries effects out: rows now, the outside after the commit. */

export type Acting = {
  readonly row: ActorRow;
  readonly effects: readonly StepEffect[];
  readonly meta: EventMeta;
};

/** Answers of lookups go first. */
type Following = { readonly first: Delivery[]; readonly then: Delivery[] };

/** @throws AgentError internal: the step yields what JSON does not hold */
export function checkStep(step: Step, before?: ActorState): void {
  const { context } = step.state.snapshot;
  if (context !== before?.snapshot.context) assertJson(context, "context");
  for (const effect of step.effects) assertJson(effect, effect.kind);
}

export function carryOut(scene: Scene, acting: Acting): Following {
  const following: Following = { first: [], then: [] };
  for (const effect of acting.effects) {
    const mail = carryOutOne(scene, acting, effect);
    (effect.kind === "lookup" ? following.first : following.then).push(...mail);
  }
  return following;
}

const nothing: readonly Delivery[] = [];

/** @returns what is delivered because of it */
function carryOutOne(scene: Scene, { row, meta }: Acting, effect: StepEffect): readonly Delivery[] {
  const { parts, tx } = scene;
  switch (effect.kind) {
    case "send":
      return [mailFrom(scene, { row, meta }, effect)];
    case "spawn":
      return [birthFrom(row, meta, effect)];
    case "restart":
      return rebirth(scene, meta, effect.address);
    case "lookup":
      return answers(scene, { row, meta }, effect);
    case "write":
      writeRow(scene, effect.write);
      return nothing;
    case "notice": {
      const { self: address, trace } = meta;
      const told = { address, trace, activity: null, attempt: 0, offset: 0, notice: effect.notice };
      tx.afterCommit(() => parts.notify(told));
      return nothing;
    }
    case "refuse":
      return nothing; // it is the step's outcome
    case "timer":
      parts.timers.set(tx, meta, effect);
      return nothing;
    case "cancel_timer":
      parts.timers.cancel(tx, row.address, effect.id);
      return nothing;
    case "activity":
      return parts.activities.begin(tx, meta, effect);
    case "stop_activity":
      return parts.activities.stop(tx, `${row.address}/${effect.id}#${effect.seq}`);
  }
}

type Sender = Pick<Acting, "row" | "meta">;

/** @throws AgentError internal: it has no parent */
function mailFrom(scene: Scene, { row, meta }: Sender, sent: SendParams): Delivery {
  const { to, event, trace = meta.trace, create, refused, refusedTo = row.address } = sent;
  const address = resolveAddress(row.address, row.parent, to);
  if (address === undefined)
    throw new AgentError("internal", `${row.address} has no parent to send to`);
  return {
    ...mailBy(meta, address, event),
    trace,
    origin: originOf(scene, row, address),
    ...(create === undefined ? {} : { create: { ...create, parent: parentOf(row, address) } }),
    ...(refused === undefined ? {} : { refused: { to: refusedTo, event: refused } }),
  };
}

const isBelow = (one: Address, other: Address) => one.startsWith(`${other}/`);

/** An address is a place in the tree: who makes something below itself is its parent. */
function parentOf({ address: sender }: ActorRow, made: Address): Address | null {
  return isBelow(made, sender) ? sender : null;
}

/** Some actors speak for people outside; among themselves, what they and theirs say is their own. */
function originOf({ parts }: Scene, row: ActorRow, to: Address): Origin {
  const isOwn = to === row.address || isBelow(to, row.address) || isBelow(row.address, to);
  return isOwn ? "actor" : (parts.machines.get(row.machine)?.speaksAs ?? "actor");
}

function birthFrom(row: ActorRow, meta: EventMeta, params: SpawnParams): Delivery {
  const { id, machine, input, trace = meta.trace } = params;
  const birth = { machine, input, parent: row.address };
  return { address: `${row.address}/${id}`, birth, trace, cause: meta.seq, origin: "actor" };
}

/** A restart is a fresh life from the input of the first one; what is meant to outlive it is in rows. */
function rebirth({ tx }: Scene, meta: EventMeta, address: Address): Delivery[] {
  const row = tx.actor(address)?.row;
  if (row === undefined) return [];
  const { machine, input, parent, supervisor } = row;
  const supervised = supervisor === null ? {} : { supervisor };
  const birth = { machine, input, parent, restart: true, ...supervised };
  return [{ address, birth, trace: meta.trace, cause: meta.seq, origin: "actor" }];
}

function answers(scene: Scene, { row, meta }: Sender, { name, args }: LookupParams): Delivery[] {
  const { parts, tx } = scene;
  const lookup = Object.hasOwn(parts.lookups, name) ? parts.lookups[name] : undefined;
  if (lookup === undefined) throw new AgentError("internal", `no lookup is called ${name}`);
  const { self: address, at, seq } = meta;
  return lookup(tx.store, args, { address, at, seq }).map((sent) =>
    mailFrom(scene, { row, meta }, sent),
  );
}

export function writeRow({ parts, tx }: Scene, write: WriteParams): void {
  const table = parts.tables.get(write.table);
  if (table === undefined)
    throw new AgentError("internal", `machines may not write the table ${write.table}`);
  switch (write.op) {
    case "remove":
      tx.store.remove(table, ...(write.key as KeyValue[]));
      return;
    case "clear":
      removeRowsOf(tx, table, write.owner);
      return;
    case "patch":
      tx.store.patch(table, write.key as KeyValue[], write.row);
      return;
    case "put": {
      const complete = parts.completions[write.table];
      tx.store.put(table, complete === undefined ? write.row : complete(write.row, tx.store));
    }
  }
}
