import { storedContext } from "../../engine/kernel/actor-state.ts";
import type { ActorRow, JournalRow } from "../../engine/tables.ts";
import type {
  InspectedActor,
  InspectedSnapshot,
  InspectedStep,
} from "../../schema/shown/inspected.ts";
import type { EventData } from "../../schema/events/event.ts";
import type { Json } from "../../schema/json.ts";
import { cutJson } from "./cut-json.ts";
import { iso } from "./shown.ts";

/** Actors and steps as an inspector sees them. What is a secret is taken out before anything is cut, since half a secret is not found. */

type Redact = <T>(value: T) => T;

/** Characters of a context or an event, roughly. */
const largest = 32_000;

export function showInspected(row: ActorRow, redact: Redact): InspectedActor {
  const { address, machine, version, parent, seq } = row;
  return {
    address,
    name: parent !== null && isBelow(address, parent) ? address.slice(parent.length + 1) : address,
    machine,
    version,
    parent,
    root: rootOf(row),
    seq,
    snapshot: snapshotOf(row, redact),
  };
}

type Committed = { readonly step: JournalRow; readonly actor: ActorRow | undefined };

export function showInspectedStep(
  { step, actor }: Committed,
  source: string | null,
  redact: Redact,
): InspectedStep {
  const { seq, at, address, event, outcome, reason, state_before, state_after, trace } = step;
  return {
    seq,
    at: iso(at),
    address,
    source,
    event: cutJson(redact(event), largest) as EventData,
    outcome,
    reason,
    state_before,
    state_after,
    trace,
    snapshot: actor === undefined ? null : snapshotOf(actor, redact),
  };
}

/** Every actor behind its parent, where that is among them. */
export function parentsFirst(rows: readonly ActorRow[]): readonly ActorRow[] {
  const byAddress = new Map(rows.map((row) => [row.address, row]));
  const ordered = new Set<ActorRow>();
  const place = (row: ActorRow) => {
    if (ordered.has(row)) return;
    byAddress.delete(row.address);
    const parent = row.parent === null ? undefined : byAddress.get(row.parent);
    if (parent !== undefined) place(parent);
    ordered.add(row);
  };
  for (const row of rows.toSorted((a, b) => (a.address < b.address ? -1 : 1))) place(row);
  return [...ordered];
}

function snapshotOf({ status, snapshot, error }: ActorRow, redact: Redact): InspectedSnapshot {
  return {
    status,
    value: snapshot.value as Json,
    context: cutJson(redact(storedContext(snapshot)), largest),
    ...(error === null ? {} : { error: redact(error) }),
  };
}

function isBelow(address: string, parent: string): boolean {
  return address.startsWith(`${parent}/`);
}

/** A session has no supervisor; a run, a call and an approval have it as their topmost one. */
function rootOf({ address, parent }: ActorRow): string {
  return parent === null ? address : address.split("/").slice(0, 2).join("/");
}
