import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { CommittedReader, RowReader, RowStore, RowWriter } from "../ports/store.ts";
import type { LookupParams, SendParams, WriteParams } from "../schema/effect.ts";
import type { Address, EventData, EventRegistry, Origin, Outcome } from "../schema/events/event.ts";
import type { ErrorData } from "../schema/errors.ts";
import type { Json, JsonObject } from "../schema/json.ts";
import type { Query, Table } from "../schema/rows/table.ts";
import type { ActivityKinds } from "./activities/activity-kind.ts";
import type { MachineRegistry } from "./machine-registry.ts";
import type { CreateOptions } from "./mail/mail.ts";
import type { ActorRow, ActorStatus, JournalRow } from "./tables.ts";

/** What every engine offers, and what it is made from. */

export type SendOptions = {
  readonly origin: Origin;
  readonly trace?: string;
  /** A second send with the same key answers what the first one did, and does nothing. */
  readonly idempotencyKey?: string;
  /** Made in the same transaction if nobody lives at the address. */
  readonly create?: CreateOptions;
  /** Rows that an actor made by `create` begins with: written in that transaction, if the event is handled. */
  readonly bornWith?: (begun: Begun) => readonly WriteParams[];
  /** True for events that a person typed by hand; only pokeable ones pass. */
  readonly poke?: boolean;
  /** What is written about the step that takes the event or refuses it, in its transaction; not for a second send with the same
   *  key. Pure: it may be asked again after a rollback. */
  readonly record?: (step: JournalRow, actor: ActorRow | undefined) => readonly WriteParams[];
};

/** The numbers of an actor's first step and of the one that took the event which came with it, and their time. */
export type Begun = {
  readonly birth: number;
  readonly event: number;
  readonly at: number;
  readonly trace: string;
};

export type { CreateOptions } from "./mail/mail.ts";

export type SendResult = {
  readonly seq: number;
  readonly outcome: Outcome;
  readonly state: string;
  readonly reason?: string;
};

export type ActorView = {
  readonly address: Address;
  readonly machine: string;
  readonly version: string;
  readonly parent: Address | null;
  readonly state: string;
  readonly status: ActorStatus;
  readonly tags: readonly string[];
  readonly since: number;
  readonly trace: string;
  readonly seq: number;
  readonly context: JsonObject;
  /** Event types that the actor may take now; a guard that reads the payload may still refuse one. */
  readonly nextEvents: readonly string[];
  readonly error: ErrorData | null;
};

export type ActorFilter = {
  readonly status?: ActorStatus;
  readonly prefix?: Address;
  readonly limit?: number;
};

export type Notice = {
  readonly address: Address;
  readonly trace: string;
  readonly activity: string | null;
  readonly attempt: number;
  /** Counts the notices of one attempt from 0. */
  readonly offset: number;
  readonly notice: JsonObject;
};

export type EngineHealth = {
  readonly degraded: ErrorData | null;
  readonly queued: number;
  readonly cachedActors: number;
  readonly runningActivities: number;
  /** Whose activities run. Here and above, those that only wait for the outside do not count. */
  readonly busy: readonly Address[];
};

export type BootReport = {
  readonly resumedActivities: number;
  readonly unknownOutcomes: number;
  readonly pendingMail: number;
  readonly quarantined: readonly Address[];
};

/** The durable actor engine.
 *
 *  `create` and `send` resolve after the commit of the step they caused. They reject with an AgentError: `event.unknown`,
 *  `event.invalid`, `event.wrong_origin`, `event.not_pokeable`, `actor.exists`, `mailbox.full`, `store.unavailable` (nothing
 *  happened, try again) or `engine.closed`. A refusal by the chart is no rejection but the outcome `rejected`; an event
 *  that reaches nobody has the outcome `dead`. */
export type Engine = {
  start(): Promise<BootReport>;
  create(
    address: Address,
    options: CreateOptions & { readonly trace?: string },
  ): Promise<SendResult>;
  send(address: Address, event: EventData, options: SendOptions): Promise<SendResult>;
  /** Gives up an actor that was set aside, so that its address is free; `writes` go into the same transaction. Rejects with
   *  `actor.not_found` or, for any other actor, `event.not_accepted`. */
  retire(address: Address, writes?: readonly WriteParams[]): Promise<void>;
  /** Rows about what reached no actor, in a transaction of their own. */
  write(writes: readonly WriteParams[]): Promise<void>;
  get(address: Address): Promise<ActorView | undefined>;
  actors(filter: ActorFilter): Promise<ActorRow[]>;
  readonly read: CommittedReader;
  onStep(listener: (step: JournalRow, actor: ActorRow | undefined) => void): () => void;
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Told when the store stops to take writes, with the reason, and, with null, when it takes them again. */
  onHealth(listener: (degraded: ErrorData | null) => void): () => void;
  health(): EngineHealth;
  /** Resolves when nothing is queued and nothing that was started by it works; what only waits for the outside may go on. */
  settled(): Promise<void>;
  /** Deletes what retention no longer keeps, in small transactions. */
  prune(keep: Retention): Promise<number>;
  /** Begins no activity any more and lets no timer fire, gives running work `graceMs`, then aborts it; what is repeatable runs again
   *  at the next start. Events are still taken. A second, shorter one cuts the first short. */
  drain(graceMs: number): Promise<void>;
  /** Takes no more, drains, and closes the store. */
  close(graceMs?: number): Promise<void>;
};

export type Retention = {
  /** Dead letters are kept as long as the journal. */
  readonly journalBefore: number;
  readonly endedActorsBefore: number;
  readonly idempotencyBefore: number;
  /** Rows of domain tables that are before that time: by their column `at`, oldest first by key, and the newest one stays, so
   *  that a chain over them keeps its end; or by the first column that the named index orders by; or whatever a query finds. */
  readonly rows?: readonly (
    | { readonly table: string; readonly before: number; readonly index?: string }
    | { readonly table: string; readonly query: Query }
  )[];
};

export type LookupContext = {
  readonly address: Address;
  readonly at: number;
  readonly seq: number;
};

/** A named read inside the transaction; its answers are the next events of the cascade. */
export type Lookup = (
  read: RowReader,
  args: LookupParams["args"],
  context: LookupContext,
) => readonly SendParams[];

/** Completes a row just before it is written, in the same transaction (the audit chain's hash and head). */
export type RowCompletion = (row: JsonObject, store: RowReader & RowWriter) => JsonObject;

export type EngineLimits = {
  readonly cascadeSteps: number;
  readonly cascadeMs: number;
  readonly batchItems: number;
  readonly mailboxCap: number;
  readonly cachedActors: number;
  readonly lostAttempts: number;
  readonly timerSweepMs: number;
  readonly healRetryMs: number;
};

export const defaultLimits: EngineLimits = {
  cascadeSteps: 64,
  cascadeMs: 8,
  batchItems: 64,
  mailboxCap: 1000,
  cachedActors: 512,
  lostAttempts: 3,
  timerSweepMs: 30_000,
  healRetryMs: 1_000,
};

export type EngineOptions = {
  readonly store: RowStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly machines: MachineRegistry;
  readonly activities: ActivityKinds;
  readonly lookups: { readonly [name: string]: Lookup };
  readonly events: EventRegistry;
  /** Tables that machines may write. */
  readonly tables: readonly Table[];
  readonly completions?: { readonly [table: string]: RowCompletion };
  /** Removes known secrets from what an activity returns or throws, before anything is stored. */
  readonly redact: <T extends Json>(value: T) => T;
  readonly limits?: Partial<EngineLimits>;
  /** Called with a label at each place where a crash is interesting; tests throw or kill from it. */
  readonly faultPoint?: (label: string) => void;
};
