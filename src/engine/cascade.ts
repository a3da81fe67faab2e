import { AgentError, type ErrorData, isStoreFault, toErrorData } from "../schema/errors.ts";
import { buryFailed } from "./life/burial.ts";
import { deliver } from "./delivery.ts";
import type { SendResult } from "./engine.ts";
import type { Delivery, Waiting } from "./mail/mail.ts";
import { storeMail, takeMail } from "./mail/mailbox.ts";
import { type Consequences, metaOf, type Scene } from "./scene.ts";
import { EngineCrash } from "./transaction.ts";

/** One event and all that follows from it without an activity in between: one transaction, cut after so many steps. */

/** Which delivery of a cascade, counted from 0, must be buried because it made the transaction fail. */
export type Poisons = ReadonlyMap<number, ErrorData>;

/** A row was refused, or an effect could not be carried out: nothing of the transaction may stay. */
export class CascadeFailure extends Error {
  readonly at: number;
  readonly error: ErrorData;

  constructor(at: number, cause: unknown) {
    const error = toErrorData(cause);
    super(error.message, { cause });
    this.at = at;
    this.error = error;
  }
}

export type CascadeJob = {
  readonly waiting: readonly Waiting[];
  /** How many of these the cut may not part; at least 1. */
  readonly together: number;
  readonly steps: number;
  readonly poisons: Poisons;
};

/** `result` is that of the last delivery that was waiting; `rest` are the mailbox rows of what did not fit, in order. */
export type Cascade = { readonly result: SendResult | undefined; readonly rest: readonly number[] };

/** @throws CascadeFailure
 *  @throws AgentError store.* */
export function runCascade(scene: Scene, job: CascadeJob): Cascade {
  const { clock, limits } = scene.parts;
  const startedAt = clock.monotonic();
  const line = new Line(job.waiting);
  let result: SendResult | undefined;
  for (let count = 0; !line.isEmpty; count += 1) {
    const isFull = count >= job.steps || clock.monotonic() - startedAt > limits.cascadeMs;
    if (isFull && line.mayBeCut(job.together)) break;
    const { waiting, isInitial } = line.take();
    const outcome = attempt(scene, waiting, { count, job });
    if (isInitial) result = outcome?.result;
    if (outcome !== undefined) line.add(outcome);
  }
  const rest = line.rest();
  return { result, rest: rest.map((one) => rowOf(scene, one)) };
}

function rowOf({ tx }: Scene, waiting: Waiting): number {
  return "stored" in waiting ? waiting.stored : storeMail(tx, waiting);
}

/** First in, first out, so that what one actor sends to another arrives in order; only the answers of lookups go before. */
class Line {
  private readonly waiting: Waiting[];
  private readonly initial: number;
  private answers: readonly Delivery[] = [];
  private taken = 0;

  constructor(initial: readonly Waiting[]) {
    this.waiting = [...initial];
    this.initial = initial.length;
  }

  get isEmpty(): boolean {
    return this.answers.length === 0 && this.taken >= this.waiting.length;
  }

  mayBeCut(together: number): boolean {
    return this.answers.length === 0 && this.taken >= together;
  }

  take(): { readonly waiting: Waiting; readonly isInitial: boolean } {
    const [answer, ...later] = this.answers;
    if (answer !== undefined) {
      this.answers = later;
      return { waiting: answer, isInitial: false };
    }
    const isInitial = this.taken < this.initial;
    this.taken += 1;
    return { waiting: this.waiting[this.taken - 1] as Waiting, isInitial };
  }

  add({ first, then }: Consequences): void {
    if (first.length > 0) this.answers = [...first, ...this.answers];
    for (const delivery of then) this.waiting.push(delivery);
  }

  rest(): readonly Waiting[] {
    return this.waiting.slice(this.taken);
  }
}

type Place = { readonly count: number; readonly job: CascadeJob };

/** @returns undefined for a row of the mailbox that was taken before */
function attempt(scene: Scene, waiting: Waiting, { count, job }: Place): Consequences | undefined {
  try {
    const delivery = "stored" in waiting ? takeMail(scene.tx, waiting.stored) : waiting;
    if (delivery === undefined) return undefined;
    const fault = job.poisons.get(count) ?? ("stored" in waiting ? waiting.fault : undefined);
    if (fault !== undefined) {
      return buryFailed(scene, { delivery, meta: metaOf(scene.tx, delivery), error: fault });
    }
    refuseEndlessAnswers(scene, count);
    return deliver(scene, delivery);
  } catch (thrown) {
    if (thrown instanceof EngineCrash || isStoreFault(thrown)) throw thrown;
    throw new CascadeFailure(count, thrown);
  }
}

/** A cut waits for the answers of a lookup; one that leads to the next for ever would hold everybody up. */
function refuseEndlessAnswers(scene: Scene, count: number): void {
  const most = scene.parts.limits.cascadeSteps * 16;
  if (count > most) throw new AgentError("internal", `lookups led to lookups for ${most} steps`);
}
