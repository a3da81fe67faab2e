import type { CommittedReader } from "../../ports/store.ts";
import type { Address } from "../../schema/events/event.ts";
import { activePaths, isWhole } from "../kernel/actor-state.ts";
import { acceptedBy } from "./actor-view.ts";
import { afterLabel, delayOf, withDescendants } from "../charts/chart-labels.ts";
import type { MachineRegistry } from "../machine-registry.ts";
import type { NextEvent } from "./next-events.ts";
import {
  type ActivityRow,
  activityTable,
  type ActorRow,
  actorTable,
  type TimerRow,
  timerTable,
} from "../tables.ts";

/** All that is known of one actor, from committed rows alone. */
export type ActorDossier = {
  readonly row: ActorRow;
  /** Every active state, the outer ones first. */
  readonly active: readonly string[];
  readonly nextEvents: readonly NextEvent[];
  readonly timers: readonly NamedTimer[];
  readonly activities: readonly ActivityRow[];
  /** Living actors that it has made. */
  readonly children: number;
};

/** What a timer waits for, as the drawings of its chart call it. */
export type NamedTimer = { readonly name: string; readonly at: number; readonly event: string };

const childrenCounted = 10_000;

export async function actorDossier(
  read: CommittedReader,
  machines: MachineRegistry,
  address: Address,
): Promise<ActorDossier | undefined> {
  const row = await read.get(actorTable, address);
  if (row === undefined) return undefined;
  const timers = await read.select(timerTable, { index: "key", from: address, upTo: address });
  const living = { index: "by_parent", equals: [address, "active"], limit: childrenCounted };
  const children = await read.select(actorTable, living);
  return {
    row,
    active: isWhole(row.snapshot) ? activePaths(row.snapshot.value) : [],
    nextEvents: acceptedBy(machines, row),
    timers: timers.map((timer) => named(machines, row, timer)).toSorted((a, b) => a.at - b.at),
    activities: await activitiesOf(read, row),
    children: children.length,
  };
}

async function activitiesOf(
  read: CommittedReader,
  { address, snapshot }: ActorRow,
): Promise<ActivityRow[]> {
  const lives = isWhole(snapshot) ? Object.entries(snapshot.activities) : [];
  const rows = await Promise.all(
    lives.map(([id, { seq }]) => read.get(activityTable, `${address}/${id}#${seq}`)),
  );
  return rows.filter((row) => row !== undefined);
}

function named(machines: MachineRegistry, { machine }: ActorRow, timer: TimerRow): NamedTimer {
  const { id, at, event } = timer;
  const chart = machines.get(machine)?.machine;
  const nodes = chart === undefined ? [] : withDescendants(chart.root);
  const delay = nodes.map((node) => delayOf(node, event.type)).find((found) => found !== undefined);
  return delay === undefined
    ? { name: id, at, event: event.type }
    : { name: delay, at, event: afterLabel(delay) };
}
