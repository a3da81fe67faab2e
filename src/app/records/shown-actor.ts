import type { ActorDossier } from "../../engine/views/actor-details.ts";
import { storedContext } from "../../engine/kernel/actor-state.ts";
import type { NextEvent } from "../../engine/views/next-events.ts";
import type { ActivityRow } from "../../engine/tables.ts";
import { type ActorDetails, longestContext } from "../../schema/shown/actor-view.ts";
import { describeEvent, eventRegistry } from "../../schema/events/events.ts";
import { payloadSchema } from "../../schema/events/payload-schema.ts";
import { shortenedObject } from "./shortened-json.ts";
import { iso, showActor } from "./shown.ts";

/** One actor with all that a watcher asks of it. */
export function showDossier(dossier: ActorDossier): ActorDetails {
  const { row, active, nextEvents, timers, activities, children } = dossier;
  const { version, seq, trace, created_at, snapshot, error } = row;
  return {
    ...showActor(row),
    version,
    seq,
    trace,
    created_at: iso(created_at),
    active,
    context: shortenedObject(storedContext(snapshot), longestContext),
    next_events: nextEvents.map(showNextEvent),
    timers: timers.map(({ name, at, event }) => ({ name, at: iso(at), event })),
    activities: activities.map(showActivity),
    children,
    error,
  };
}

function showNextEvent({ type, targets }: NextEvent) {
  const spec = eventRegistry[type];
  const payload = spec === undefined ? null : payloadSchema(spec.payload);
  return { ...describeEvent(type), payload, targets };
}

function showActivity({ src, status, attempt, failed, lost, not_before, error }: ActivityRow) {
  const isWaiting = status === "pending" && not_before > 0;
  return {
    name: src,
    status,
    attempt,
    failed,
    lost,
    not_before: isWaiting ? iso(not_before) : null,
    error,
  };
}
