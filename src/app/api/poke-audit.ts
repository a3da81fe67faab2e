import { storedContext } from "../../engine/kernel/actor-state.ts";
import type { Engine, SendOptions } from "../../engine/engine.ts";
import { type ActorRow, actorTable, type JournalRow } from "../../engine/tables.ts";
import { type AuditedCall, unaskedEntry } from "../../machines/audit-entry.ts";
import type { Clock } from "../../ports/clock.ts";
import { auditTable } from "../../schema/rows/audit-rows.ts";
import type { WriteParams } from "../../schema/effect.ts";
import type { EventData } from "../../schema/events/event.ts";
import type { ErrorCode, ErrorData } from "../../schema/errors.ts";
import type { Json, JsonObject } from "../../schema/json.ts";
import { RefusalRows } from "./refusal-rows.ts";

/** Each event that a person sends by hand leaves a row, whether it was taken or refused; of very many refusals some are counted only. */

/** For what reaches the engine: the row is part of the step's own transaction. */
function pokeRecord(by: string, refusalsToo: boolean): NonNullable<SendOptions["record"]> {
  return (step, actor) => {
    const isTaken = step.outcome === "handled";
    if (!isTaken && !refusalsToo) return [];
    const word = { at: step.at, by, reason: isTaken ? null : refusalOf(step) };
    return [pokeRow({ actor, trace: step.trace, input: inputOf(step) }, word)];
  };
}

function inputOf({ event: { type, ...payload }, address }: JournalRow): JsonObject {
  return { event: type, payload, address };
}

function refusalOf({ reason, outcome }: JournalRow): string {
  return reason ?? outcome;
}

type Refused = {
  readonly address: string;
  readonly event: string;
  readonly by: string;
  readonly error: ErrorData;
};

export type RefusalOptions = {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly redact: <T>(value: T) => T;
};

/** What no actor hears of. Such a payload was never understood: it is not kept. */
const refusedAtTheDoor: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "event.unknown",
  "event.not_pokeable",
  "event.wrong_origin",
  "event.invalid",
]);
const refusedByActors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "actor.not_found",
  "actor.ended",
  "actor.quarantined",
  "event.not_accepted",
]);
const longestName = 128;
const longestReason = 500;

export type PokeAudit = {
  /** For an event that is about to be sent. */
  record(by: string): NonNullable<SendOptions["record"]>;
  /** For an event that stands for the end of an actor which hears no event any more. */
  ended(actor: ActorRow, event: EventData, by: string): WriteParams;
  /** For an event that was not taken, whoever refused it. */
  refused(refused: Refused): Promise<void>;
};

export function auditPokes(options: RefusalOptions): PokeAudit {
  const { engine, clock } = options;
  const rows = new RefusalRows({
    clock,
    sumUp: (refusals) => engine.write([sumOf(refusals, clock.now())]),
  });
  return {
    record: (by) => pokeRecord(by, rows.hasRoom()),
    ended: (actor, { type, ...payload }, by) => {
      const input = { event: type, payload, address: actor.address };
      return pokeRow({ actor, trace: actor.trace, input }, { at: clock.now(), by, reason: null });
    },
    refused: async (refused) => {
      const { code } = refused.error;
      if (!refusedAtTheDoor.has(code) && !refusedByActors.has(code)) return;
      const hasRow = rows.hasRoom();
      rows.count(hasRow);
      if (hasRow && refusedAtTheDoor.has(code)) await writeRefusal(options, refused);
    },
  };
}

/** For what is refused before it reaches an actor. */
async function writeRefusal(
  { engine, clock, redact }: RefusalOptions,
  { address, event, by, error }: Refused,
): Promise<void> {
  const actor = await engine.read.get(actorTable, address);
  const input = { event: redact(event).slice(0, longestName), address: redact(address) };
  const about = { actor, trace: actor?.trace ?? "", input };
  const reason = redact(error.message).slice(0, longestReason);
  await engine.write([pokeRow(about, { at: clock.now(), by, reason })]);
}

/** Of clients of every name. */
function sumOf(refusals: number, at: number): WriteParams {
  const reason = `${refusals} more events that were sent by hand were refused within a minute.`;
  const about = { actor: undefined, trace: "", input: { refusals } };
  return pokeRow(about, { at, by: "statehive", reason });
}

type Poked = {
  readonly actor: ActorRow | undefined;
  readonly trace: string;
  readonly input: JsonObject;
};

type Word = {
  readonly at: number;
  readonly by: string;
  /** Why it was refused; null for what was taken. */
  readonly reason: string | null;
};

function pokeRow({ actor, trace, input }: Poked, { at, by, reason }: Word): WriteParams {
  const about = { ...placeOf(actor), trace_id: trace, input, requested: [] };
  const status = reason === null ? "accepted" : "refused";
  const row = unaskedEntry("poke", about, { at, by, status, reason });
  return { table: auditTable.name, op: "put", row: row as unknown as JsonObject };
}

/** What the actor works for, as far as it knows. */
export function placeOf(
  actor: ActorRow | undefined,
): Omit<AuditedCall, "trace_id" | "input" | "requested"> {
  const context = actor === undefined ? {} : storedContext(actor.snapshot);
  const call = (context["call"] ?? {}) as JsonObject;
  return {
    session_id: text(context["session_id"]),
    agent_id: text(context["agent_id"]),
    task_id: text(context["task_id"]),
    run_id: text(context["run_id"]),
    step_id: text(context["step_id"]),
    tool_call_id: text(context["tool_call_id"] ?? call["id"]),
    tool: text(context["tool"] ?? call["name"]),
  };
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
