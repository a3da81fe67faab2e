import type { RowReader, RowWriter } from "../../ports/store.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { Json, JsonObject } from "../../schema/json.ts";
import type { Recovery } from "../../schema/tool.ts";

export type ActivityContext<I> = {
  readonly input: I;
  /** The same for every attempt of one life of the activity. */
  readonly key: string;
  readonly attempt: number;
  readonly address: string;
  readonly trace: string;
  /** Fires on cancel and on shutdown; the activity then rejects as soon as it can. */
  readonly signal: AbortSignal;
  /** Progress for whoever watches: not durable, not an event. */
  notify(notice: JsonObject): void;
};

export type RetryPolicy = {
  readonly attempts: number;
  /** Doubles with each attempt, unless the error says how long to wait. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
};

/** A named piece of I/O that machines invoke.
 *
 *  `recovery` says what a crash in the middle means: `repeat` it, repeat it with the same key (`keyed`), or never again
 *  without a person (`once`: it settles as `activity.outcome_unknown`). */
export type ActivityKind<I = never, O = unknown> = {
  readonly recovery: Recovery | ((input: I) => Recovery);
  readonly maxConcurrent: number;
  /** Those of another queue neither wait for these nor keep them waiting: `maxConcurrent` holds for each. Absent: there is one. */
  readonly queueOf?: (input: I) => string;
  /** It only waits for what others may send (a long poll) and is to be repeated: nobody waits for it to end, a drain cuts it off at
   *  once, and that the service died meanwhile says nothing against it. */
  readonly waits?: true;
  readonly retry?: RetryPolicy;
  /** Asked in the transaction that marks the attempt as started; an error refuses it, and then nothing may have been written. */
  readonly admit?: (
    store: RowReader & RowWriter,
    input: I,
    attempt: StartingAttempt,
  ) => ErrorData | undefined;
  /** Called once for each started attempt, in the transaction that takes up its end, whatever that end becomes (an event, another
   *  attempt, a stop, a loss), for rows that must not depend on the actor. */
  readonly settled?: (store: RowReader & RowWriter, attempt: SettledAttempt<I>) => void;
  run(context: ActivityContext<I>): Promise<O>;
};

export type StartingAttempt = {
  readonly address: string;
  /** The same for every attempt of one life of the activity. */
  readonly key: string;
  /** 1 is the first. */
  readonly attempt: number;
  readonly at: number;
};

export type SettledAttempt<I> = {
  readonly address: string;
  readonly key: string;
  readonly input: I;
  readonly trace: string;
  readonly attempt: number;
  readonly at: number;
  readonly settlement: Settlement;
  /** The service ended before the attempt did: nobody knows how far it came. */
  readonly isLost: boolean;
};

export type ActivityKinds = { readonly [src: string]: ActivityKind };

export type Settlement =
  | { readonly ok: true; readonly output: Json }
  | { readonly ok: false; readonly error: ErrorData };

/** How a stopped activity ended, said to the actor by `activity.stopped`. */
export type Ended = "not_started" | "completed" | "aborted" | "unknown";
