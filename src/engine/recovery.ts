import type { ErrorData } from "../schema/errors.ts";
import type { EventRegistry } from "../schema/events/event.ts";
import { isPresent } from "./kernel/actor-state.ts";
import type { EngineLimits } from "./engine.ts";
import type { MachineRegistry } from "./machine-registry.ts";
import { isBirth, type StoredMail } from "./mail/mail.ts";
import { readMail } from "./mail/mailbox.ts";
import { mailTable } from "./tables.ts";
import type { Transaction } from "./transaction.ts";
import type { Work } from "./work-queue.ts";

/** Mail that was found at a start. It is counted, in a commit of its own, before it is looked at: mail that kills the process is
 *  given up after some deaths. What was never counted is tried together; what was is suspect, and goes alone. */

export type Recovery = {
  readonly machines: MachineRegistry;
  readonly events: EventRegistry;
  readonly limits: EngineLimits;
};

/** What the engine itself says to actors. */
const ownEvents: ReadonlySet<string> = new Set(["actor.failed", "activity.stopped"]);

/** @param ids mailbox rows, in order */
export function recoveryWork(recovery: Recovery, ids: readonly number[]): Work | undefined {
  if (ids.length === 0) return undefined;
  let counted: readonly number[] = [];
  return {
    label: `count ${ids[0]}`,
    external: false,
    prepare: (tx) => {
      counted = countSome(tx, ids, recovery.limits.cascadeSteps);
      return [];
    },
    next: () => deliverWork(recovery, counted, ids.slice(counted.length)),
  };
}

function countSome(tx: Transaction, ids: readonly number[], most: number): readonly number[] {
  const counted: number[] = [];
  for (const id of ids.slice(0, most)) {
    const attempts = attemptsOf(tx, id);
    if (attempts > 0 && counted.length > 0) break;
    tx.store.patch(mailTable, [id], { attempts: attempts + 1 });
    counted.push(id);
    if (attempts > 0) break;
  }
  return counted;
}

function attemptsOf(tx: Transaction, id: number): number {
  return tx.store.get(mailTable, id)?.attempts ?? 0;
}

function deliverWork(recovery: Recovery, ids: readonly number[], later: readonly number[]): Work {
  return {
    label: `recover ${ids[0]}`,
    external: false,
    steps: ids.length,
    prepare: (tx) =>
      ids.map((id): StoredMail => ({ stored: id, fault: faultOf(recovery, tx, id) })),
    next: (rest) => {
      const undone = rest.filter((id) => ids.includes(id));
      const followed = rest.filter((id) => !ids.includes(id));
      return recoveryWork(recovery, [...undone, ...later, ...followed]);
    },
  };
}

function faultOf(recovery: Recovery, tx: Transaction, id: number): ErrorData | undefined {
  const { limits } = recovery;
  if (attemptsOf(tx, id) > limits.lostAttempts) {
    const message = `the service died ${limits.lostAttempts} times while it processed this event`;
    return { code: "activity.crash_loop", message, retryable: false };
  }
  return isUnknown(recovery, tx, id)
    ? { code: "event.unknown", message: "this code knows no such event", retryable: false }
    : undefined;
}

function isUnknown({ machines, events }: Recovery, tx: Transaction, id: number): boolean {
  const mail = readMail(tx, id);
  if (mail === undefined || isBirth(mail)) return false;
  const actor = tx.actor(mail.address);
  if (actor?.state === undefined) return false;
  if (mail.source !== undefined && !isPresent(actor.state, mail.source)) return false;
  const { type } = mail.event;
  const accepts = machines.get(actor.row.machine)?.accepts;
  return accepts?.has(type) !== true && !ownEvents.has(type) && !Object.hasOwn(events, type);
}
