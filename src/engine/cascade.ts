import type { Clock } from "../ports/clock.ts";
import { AgentError, type ErrorData, toErrorData } from "../schema/errors.ts";
import { deliver, type Delivered, quarantine } from "./delivery.ts";
import type { Carrier } from "./effects.ts";
import type { EngineLimits, SendResult } from "./engine.ts";
import { type Delivery, isBirth } from "./mail.ts";
import { storeMail } from "./mailbox.ts";
import { EngineCrash, type Transaction } from "./transaction.ts";

/** One event and all that follows from it without an activity in between: one transaction, cut at a number of steps. */

/** The delivery, counted within its cascade, that made the transaction fail, and how. */
export type Poison = { readonly at: number; readonly error: ErrorData };

export class CascadeFailure extends Error {
  readonly poison: Poison;

  constructor(poison: Poison, cause: unknown) {
    super(poison.error.message, { cause });
    this.poison = poison;
  }
}

/** `result` is that of the last initial delivery; `postponed` are the mailbox rows of what did not fit, in order. */
export type Cascade = { readonly result: SendResult; readonly postponed: readonly number[] };

export type CascadeContext = {
  readonly carrier: Carrier;
  readonly clock: Clock;
  readonly limits: EngineLimits;
};

/** @param initial at least one delivery
 *  @throws CascadeFailure when a row was refused or an effect could not be carried out
 *  @throws AgentError store.unavailable */
export function runCascade(
  context: CascadeContext,
  tx: Transaction,
  initial: readonly Delivery[],
  poison?: Poison,
): Cascade {
  const { carrier, clock, limits } = context;
  const startedAt = clock.monotonic();
  let queue: readonly Delivery[] = initial;
  let result: SendResult | undefined;
  for (let count = 0; queue.length > 0; count++) {
    const inside = count < initial.length;
    const full = count >= limits.cascadeSteps || clock.monotonic() - startedAt > limits.cascadeMs;
    if (full && !inside) break;
    const [delivery, ...rest] = queue as readonly [Delivery, ...Delivery[]];
    const delivered =
      poison?.at === count
        ? bury(carrier, tx, delivery, poison.error)
        : attempt(carrier, tx, delivery, count);
    if (inside) result = delivered.result;
    queue = [...delivered.first, ...rest, ...delivered.then];
  }
  const postponed = queue.map((delivery) => storeMail(tx, delivery));
  return { result: result as SendResult, postponed };
}

function attempt(carrier: Carrier, tx: Transaction, delivery: Delivery, count: number): Delivered {
  try {
    return deliver(carrier, tx, delivery);
  } catch (thrown) {
    if (thrown instanceof EngineCrash || isUnavailable(thrown)) throw thrown;
    throw new CascadeFailure({ at: count, error: toErrorData(thrown) }, thrown);
  }
}

export function isUnavailable(thrown: unknown): boolean {
  return thrown instanceof AgentError && thrown.code === "store.unavailable";
}

function bury(carrier: Carrier, tx: Transaction, delivery: Delivery, error: ErrorData): Delivered {
  const actor = tx.actor(delivery.address);
  if (actor === undefined || isBirth(delivery)) throw new AgentError(error.code, error.message);
  tx.nextSeq();
  return quarantine(carrier, tx, { actor, delivery, error });
}
