import { AgentError } from "../schema/errors.ts";
import type { Effect, SpawnParams, WriteParams } from "../schema/effect.ts";
import type { Address, EventMeta } from "../schema/event.ts";
import type { JsonObject } from "../schema/json.ts";
import type { KeyValue, Table } from "../schema/table.ts";
import type { ActivityRunner } from "./activity-runner.ts";
import type { Lookup, RowCompletion } from "./engine.ts";
import type { MachineRegistry } from "./machine-registry.ts";
import { type Delivery, type Mail, resolveAddress } from "./mail.ts";
import { type ActorRow, actorTable, timerTable } from "./tables.ts";
import type { TimerSweep } from "./timer-sweep.ts";
import type { Transaction } from "./transaction.ts";

/** Carries effects out: rows now, the outside after the commit. */

export type Carrier = {
  readonly machines: MachineRegistry;
  readonly tables: ReadonlyMap<string, Table>;
  readonly ownedTables: readonly Table[];
  readonly completions: { readonly [table: string]: RowCompletion };
  readonly lookups: { readonly [name: string]: Lookup };
  readonly runner: ActivityRunner;
  readonly timers: TimerSweep;
  readonly tell: (notice: {
    readonly address: Address;
    readonly trace: string;
    readonly notice: JsonObject;
  }) => void;
};

export type Acting = {
  readonly row: ActorRow;
  readonly effects: readonly Effect[];
  readonly meta: EventMeta;
};

type Follow = { readonly first: Delivery[]; readonly then: Delivery[] };

export function carryOut(carrier: Carrier, tx: Transaction, acting: Acting): Follow {
  const follow: Follow = { first: [], then: [] };
  for (const effect of acting.effects) carryOutOne({ carrier, tx, acting, follow }, effect);
  return follow;
}

type Scene = {
  readonly carrier: Carrier;
  readonly tx: Transaction;
  readonly acting: Acting;
  readonly follow: Follow;
};

function carryOutOne(scene: Scene, effect: Effect): void {
  const { carrier, tx, acting, follow } = scene;
  const { row, meta } = acting;
  switch (effect.kind) {
    case "send":
      follow.then.push(mailFrom(row, meta, effect));
      return;
    case "spawn":
      follow.then.push(birthOf(row, meta, effect));
      return;
    case "restart":
      follow.then.push(...rebirth(tx, meta, effect.address));
      return;
    case "lookup":
      follow.first.push(...answers(scene, effect));
      return;
    case "write":
      writeRow(carrier, tx, effect.write);
      return;
    case "notice":
      tx.afterCommit(() =>
        carrier.tell({ address: row.address, trace: meta.trace, notice: effect.notice }),
      );
      return;
    case "timer":
      carrier.timers.set(tx, {
        address: row.address,
        id: effect.id,
        seq: meta.seq,
        at: tx.now + effect.delayMs,
        event: effect.event,
        trace: meta.trace,
      });
      return;
    case "cancel_timer":
      tx.store.remove(timerTable, row.address, effect.id);
      return;
    case "activity":
      carrier.runner.begin(tx, { row, meta, id: effect.id, src: effect.src, input: effect.input });
      return;
    case "stop_activity":
      follow.then.push(...carrier.runner.stop(tx, row, effect.id, meta));
      return;
  }
}

function mailFrom(
  row: ActorRow,
  meta: EventMeta,
  params: { to: string; event: Mail["event"] },
): Mail {
  const address = resolveAddress(row.address, row.parent, params.to);
  if (address === undefined)
    throw new AgentError("internal", `${row.address} has no parent to send to`);
  return { address, event: params.event, origin: "actor", trace: meta.trace, cause: meta.seq };
}

function birthOf(row: ActorRow, meta: EventMeta, params: SpawnParams): Delivery {
  return {
    address: `${row.address}/${params.id}`,
    birth: { machine: params.machine, input: params.input, parent: row.address },
    trace: params.trace ?? meta.trace,
    cause: meta.seq,
    origin: "actor",
  };
}

/** A restart is a fresh life from the input of the first one; what is meant to outlive it is in rows. */
function rebirth(tx: Transaction, meta: EventMeta, address: Address): Delivery[] {
  const row = tx.actor(address)?.row;
  if (row === undefined) return [];
  const { machine, input, parent, supervisor } = row;
  return [
    {
      address,
      birth: {
        machine,
        input,
        parent,
        restart: true,
        ...(supervisor === null ? {} : { supervisor }),
      },
      trace: meta.trace,
      cause: meta.seq,
      origin: "actor",
    },
  ];
}

function answers(scene: Scene, params: { name: string; args: JsonObject }): Mail[] {
  const { carrier, tx, acting } = scene;
  const lookup = carrier.lookups[params.name];
  if (lookup === undefined) throw new AgentError("internal", `no lookup is called ${params.name}`);
  const { row, meta } = acting;
  const context = { address: row.address, at: tx.now, seq: meta.seq };
  return lookup(tx.store, params.args, context).map((answer) => mailFrom(row, meta, answer));
}

export function writeRow(carrier: Carrier, tx: Transaction, write: WriteParams): void {
  const table = carrier.tables.get(write.table);
  if (table === undefined)
    throw new AgentError("internal", `machines may not write the table ${write.table}`);
  if (write.op === "remove") {
    tx.store.remove(table, ...(write.key as KeyValue[]));
  } else if (write.op === "patch") {
    tx.store.patch(table, write.key as KeyValue[], write.row);
  } else {
    const complete = carrier.completions[write.table];
    tx.store.put(table, complete === undefined ? write.row : complete(write.row, tx.store));
  }
}

/** What ends with an actor: its timers, its running activities, the rows it owns; its children are asked to end too. */
export function endOfLife(
  carrier: Carrier,
  tx: Transaction,
  row: ActorRow,
  meta: EventMeta,
): Delivery[] {
  for (const id of Object.keys(row.snapshot.timers)) tx.store.remove(timerTable, row.address, id);
  for (const [id, life] of Object.entries(row.snapshot.activities)) {
    if (!life.stopping) carrier.runner.abandon(tx, `${row.address}/${id}#${life.seq}`);
  }
  for (const table of carrier.ownedTables) {
    for (const owned of tx.store.select(table, { index: "by_owner", equals: [row.address] })) {
      tx.store.remove(table, ...table.key.map((column) => owned[column] as KeyValue));
    }
  }
  return tx.store
    .select(actorTable, { index: "by_parent", equals: [row.address, "active"] })
    .flatMap((child): Mail[] => {
      const cancel = carrier.machines.get(child.machine)?.cancelEvent;
      if (cancel === undefined) return [];
      const event = { type: cancel, reason: "its parent has ended" };
      return [
        { address: child.address, event, origin: "actor", trace: meta.trace, cause: meta.seq },
      ];
    });
}
