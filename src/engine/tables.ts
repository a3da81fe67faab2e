import type { EventData, Origin, Outcome } from "../schema/events/event.ts";
import type { ErrorData } from "../schema/errors.ts";
import type { Json, JsonObject } from "../schema/json.ts";
import type { Table } from "../schema/rows/table.ts";
import type { Recovery } from "../schema/tool.ts";
import type { Source, StoredState } from "./kernel/actor-state.ts";
import type { Birth, Bounce, Making } from "./mail/mail.ts";

/** The engine's own rows. */

export type ActorStatus = "active" | "done" | "error" | "stopped" | "quarantined";

/** permanent: restarted however it ended; transient: after a failure; temporary: never. */
export type RestartType = "permanent" | "transient" | "temporary";

export type ActorRow = {
  address: string;
  machine: string;
  version: string;
  parent: string | null;
  supervisor: string | null;
  restart: RestartType;
  input: JsonObject;
  snapshot: StoredState;
  state: string;
  tags: readonly string[];
  status: ActorStatus;
  /** The last step's number. */
  seq: number;
  /** When the present state began. */
  since: number;
  trace: string;
  created_at: number;
  ended_at: number | null;
  error: ErrorData | null;
};

export const actorTable: Table<ActorRow> = {
  name: "actors",
  columns: {
    address: "text",
    machine: "text",
    version: "text",
    parent: "text",
    supervisor: "text",
    restart: "text",
    input: "json",
    snapshot: "json",
    state: "text",
    tags: "json",
    status: "text",
    seq: "integer",
    since: "integer",
    trace: "text",
    created_at: "integer",
    ended_at: "integer",
    error: "json",
  },
  key: ["address"],
  indexes: {
    by_version: { equals: ["status"], order: ["machine", "version"] },
    by_parent: { equals: ["parent", "status"], order: ["address"] },
    by_end: { equals: [], order: ["ended_at"] },
  },
};

/** Accepted, not yet consumed. What is consumed by the transaction that accepts it is never written. */
export type MailRow = {
  id: number;
  address: string;
  event: EventData;
  origin: Origin;
  trace: string;
  cause: number | null;
  source: Source | null;
  /** Set for the birth of an actor that waits in line. */
  birth: Birth["birth"] | null;
  /** Of an actor that is made for this mail. */
  creates: Making | null;
  refused: Bounce | null;
  at: number;
  /** Times that the service began to process it after a restart. */
  attempts: number;
};

export const mailTable: Table<MailRow> = {
  name: "mail",
  columns: {
    id: "integer",
    address: "text",
    event: "json",
    origin: "text",
    trace: "text",
    cause: "integer",
    source: "json",
    birth: "json",
    creates: "json",
    refused: "json",
    at: "integer",
    attempts: "integer",
  },
  key: ["id"],
  indexes: {},
};

export type TimerRow = {
  address: string;
  id: string;
  seq: number;
  at: number;
  event: EventData;
  trace: string;
};

export const timerTable: Table<TimerRow> = {
  name: "timers",
  columns: {
    address: "text",
    id: "text",
    seq: "integer",
    at: "integer",
    event: "json",
    trace: "text",
  },
  key: ["address", "id"],
  indexes: { due: { equals: [], order: ["at", "seq"] } },
  owner: "address",
};

export type ActivityStatus = "pending" | "started" | "stopping";

export type ActivityRow = {
  /** `<address>/<id>#<seq>`: one life of one activity; the idempotency key of its attempts. */
  key: string;
  address: string;
  id: string;
  /** The queue: its kind, and, for one with several, which (`deliverPart/tg_main`). */
  src: string;
  seq: number;
  input: Json;
  recovery: Recovery;
  /** Starts so far. */
  attempt: number;
  /** Attempts that ended with an error which a retry may heal. */
  failed: number;
  /** Attempts that the death of the service interrupted. */
  lost: number;
  status: ActivityStatus;
  /** Not started before this time: a retry that waits. */
  not_before: number;
  trace: string;
  /** Why the attempt before failed. */
  error: ErrorData | null;
};

export const activityTable: Table<ActivityRow> = {
  name: "activities",
  columns: {
    key: "text",
    address: "text",
    id: "text",
    src: "text",
    seq: "integer",
    input: "json",
    recovery: "text",
    attempt: "integer",
    failed: "integer",
    lost: "integer",
    status: "text",
    not_before: "integer",
    trace: "text",
    error: "json",
  },
  key: ["key"],
  indexes: { queue: { equals: ["src", "status"], order: ["not_before", "seq"] } },
};

export type JournalRow = {
  seq: number;
  at: number;
  address: string;
  machine: string;
  event_type: string;
  event: EventData;
  origin: Origin;
  outcome: Outcome;
  reason: string | null;
  state_before: string | null;
  state_after: string | null;
  trace: string;
  cause: number | null;
};

export const journalTable: Table<JournalRow> = {
  name: "journal",
  columns: {
    seq: "integer",
    at: "integer",
    address: "text",
    machine: "text",
    event_type: "text",
    event: "json",
    origin: "text",
    outcome: "text",
    reason: "text",
    state_before: "text",
    state_after: "text",
    trace: "text",
    cause: "integer",
  },
  key: ["seq"],
  indexes: {
    by_address: { equals: ["address"], order: ["seq"] },
    by_trace: { equals: ["trace"], order: ["seq"] },
  },
};

export type DeadLetterRow = {
  seq: number;
  at: number;
  address: string;
  event: EventData;
  reason: string;
  error: ErrorData | null;
  trace: string;
};

export const deadLetterTable: Table<DeadLetterRow> = {
  name: "dead_letters",
  columns: {
    seq: "integer",
    at: "integer",
    address: "text",
    event: "json",
    reason: "text",
    error: "json",
    trace: "text",
  },
  key: ["seq"],
  indexes: {},
};

export type IdempotencyRow = {
  key: string;
  seq: number;
  outcome: Outcome;
  state: string;
  reason: string | null;
  at: number;
};

export const idempotencyTable: Table<IdempotencyRow> = {
  name: "idempotency",
  columns: {
    key: "text",
    seq: "integer",
    outcome: "text",
    state: "text",
    reason: "text",
    at: "integer",
  },
  key: ["key"],
  indexes: { by_at: { equals: [], order: ["at"] } },
};

export type CounterRow = { name: string; value: number };

export const counterTable: Table<CounterRow> = {
  name: "counters",
  columns: { name: "text", value: "integer" },
  key: ["name"],
  indexes: {},
};

export const engineTables = [
  actorTable,
  mailTable,
  timerTable,
  activityTable,
  journalTable,
  deadLetterTable,
  idempotencyTable,
  counterTable,
] as readonly Table[];
