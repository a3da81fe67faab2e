import { AgentError } from "../../schema/errors.ts";
import type { WriteParams } from "../../schema/effect.ts";
import type { Address } from "../../schema/events/event.ts";
import { writeRow } from "../effects.ts";
import { writeJournal } from "../journal.ts";
import type { Mail } from "../mail/mail.ts";
import { type EngineParts, metaOf } from "../scene.ts";
import type { Transaction } from "../transaction.ts";
import type { Work } from "../work-queue.ts";

export type Retiring = {
  readonly address: Address;
  /** What else becomes of its end, in the same transaction. */
  readonly writes: readonly WriteParams[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

/** An actor that was set aside is given up for good: its address is free for a new life. */
export function retireWork(parts: EngineParts, retiring: Retiring): Omit<Work, "external"> {
  const { address, writes, resolve, reject } = retiring;
  let refusal: AgentError | undefined;
  return {
    label: `retire ${address}`,
    address,
    prepare: (tx) => {
      refusal = refusalFor(tx, address);
      if (refusal === undefined) retire(parts, tx, { address, writes });
      return [];
    },
    done: () => (refusal === undefined ? resolve() : reject(refusal)),
    failed: reject,
  };
}

function refusalFor(tx: Transaction, address: Address): AgentError | undefined {
  const status = tx.actor(address)?.row.status;
  if (status === "quarantined") return undefined;
  return status === undefined
    ? new AgentError("actor.not_found", `nobody lives at ${address}`)
    : new AgentError("event.not_accepted", `${address} was not set aside: it is ${status}`);
}

function retire(
  parts: EngineParts,
  tx: Transaction,
  { address, writes }: Pick<Retiring, "address" | "writes">,
): void {
  const before = tx.actor(address);
  if (before === undefined) return;
  const { trace, seq: cause } = before.row;
  const mail: Mail = { address, event: { type: "actor.retired" }, origin: "api", trace, cause };
  const meta = metaOf(tx, mail);
  const changes = { status: "stopped", ended_at: tx.now, seq: meta.seq } as const;
  const after = tx.updateActor({ row: before.row, state: undefined }, changes);
  writeJournal(tx, { delivery: mail, meta, outcome: "handled", before: before.row, after });
  for (const write of writes) writeRow({ parts, tx }, write);
}
