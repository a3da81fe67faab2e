import type { WriteParams } from "../../schema/effect.ts";
import { AgentError } from "../../schema/errors.ts";
import type { Address, EventData } from "../../schema/events/event.ts";
import { writeRow } from "../effects.ts";
import type { Begun, CreateOptions, SendOptions, SendResult } from "../engine.ts";
import { type Birth, type Delivery, isBirth, type Mail } from "./mail.ts";
import type { EngineParts, Scene } from "../scene.ts";
import { idempotencyTable } from "../tables.ts";
import type { Transaction } from "../transaction.ts";
import type { Work } from "../work-queue.ts";

/** What comes from outside, as work: events, births, rows. */

type Answer = {
  readonly resolve: (result: SendResult) => void;
  readonly reject: (error: unknown) => void;
};

export type Sending = Answer & {
  readonly address: Address;
  readonly event: EventData;
  readonly options: SendOptions;
};

type OutsideWork = Omit<Work, "external">;

export function sendWork(parts: EngineParts, sending: Sending): OutsideWork {
  const { address, event, options, resolve, reject } = sending;
  const { idempotencyKey: key, bornWith, record } = options;
  let earlier: SendResult | undefined;
  let born: Pick<Begun, "birth" | "trace"> | undefined;
  return {
    label: `${event.type} to ${address}`,
    address,
    prepare: (tx) => {
      earlier = key === undefined ? undefined : earlierAnswer(tx, key);
      const deliveries = earlier === undefined ? deliveriesOf(tx, sending) : [];
      const birth = deliveries.find(isBirth);
      born = birth === undefined ? undefined : { birth: tx.seq + 1, trace: birth.trace };
      return deliveries;
    },
    conclude: (tx, { seq, outcome, state, reason = null }) => {
      if (born !== undefined && bornWith !== undefined && outcome === "handled") {
        writeRows({ parts, tx }, bornWith({ ...born, event: seq, at: tx.now }));
      }
      const written = tx.steps.find(({ row }) => row.seq === seq);
      if (record !== undefined && written !== undefined) {
        writeRows({ parts, tx }, record(written.row, written.actor));
      }
      if (key === undefined) return;
      tx.store.put(idempotencyTable, { key, seq, outcome, state, reason, at: tx.now });
    },
    done: (result) => resolve((result ?? earlier) as SendResult),
    failed: reject,
  };
}

function earlierAnswer(tx: Transaction, key: string): SendResult | undefined {
  const row = tx.store.get(idempotencyTable, key);
  if (row === undefined) return undefined;
  const { seq, outcome, state, reason } = row;
  return { seq, outcome, state, ...(reason === null ? {} : { reason }) };
}

function deliveriesOf(tx: Transaction, { address, event, options }: Sending): Delivery[] {
  const trace = options.trace ?? newTrace(tx);
  const mail: Mail = { address, event, origin: options.origin, trace, cause: null };
  if (options.create === undefined) return [mail];
  const status = tx.actor(address)?.row.status;
  if (status === "active" || status === "quarantined") return [mail];
  return [birthOf(address, options.create, trace), mail];
}

export type Creating = Answer & {
  readonly address: Address;
  readonly options: CreateOptions & { readonly trace?: string };
};

export function createWork({ address, options, resolve, reject }: Creating): OutsideWork {
  let refusal: AgentError | undefined;
  return {
    label: `create ${address}`,
    address,
    prepare: (tx) => {
      const lives = tx.actor(address)?.row.status === "active";
      refusal = lives ? new AgentError("actor.exists", `${address} lives already`) : undefined;
      return lives ? [] : [birthOf(address, options, options.trace ?? newTrace(tx))];
    },
    done: (result) => (refusal === undefined ? resolve(result as SendResult) : reject(refusal)),
    failed: reject,
  };
}

export type Writing = {
  readonly writes: readonly WriteParams[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

export function writeWork(parts: EngineParts, { writes, resolve, reject }: Writing): OutsideWork {
  return {
    label: "rows",
    prepare: (tx) => {
      writeRows({ parts, tx }, writes);
      return [];
    },
    done: resolve,
    failed: reject,
  };
}

function writeRows(scene: Scene, writes: readonly WriteParams[]): void {
  for (const write of writes) writeRow(scene, write);
}

function birthOf(address: Address, create: CreateOptions, trace: string): Birth {
  const { machine, input, supervisor } = create;
  const supervised = supervisor === undefined ? {} : { supervisor };
  const birth = { machine, input, parent: null, ...supervised };
  return { address, birth, trace, cause: null, origin: "api" };
}

/** Named after the first step that bears it. */
function newTrace(tx: Transaction): string {
  return `t${tx.seq + 1}`;
}
