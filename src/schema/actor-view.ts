import { z } from "zod";
import { errorData, isoTime, jsonObject, strings } from "./shown.ts";

/** Actors as people and scripts see them. */

export const actorStateRow = z.strictObject({
  address: z.string(),
  kind: z.string(),
  /** The leaf path of the chart: `awaiting_approval`. */
  state: z.string(),
  status: z.enum(["active", "done", "error", "stopped", "quarantined"]),
  parent: z.string().nullable(),
  since: isoTime,
  tags: strings,
  /** Of the message that it works for, or that made it. */
  trace: z.string(),
});

const nextEvent = z.strictObject({
  type: z.string(),
  pokeable: z.boolean(),
  description: z.string(),
});

export const actorDetails = actorStateRow.extend({
  version: z.string(),
  seq: z.int(),
  context: jsonObject,
  next_events: z.array(nextEvent).readonly(),
  error: errorData.nullable(),
});

export const sendAnswer = z.strictObject({
  seq: z.int(),
  outcome: z.string(),
  state: z.string(),
  reason: z.string().exactOptional(),
});

/** One line of the journal: an event, and what it changed. */
export const actorStep = z.strictObject({
  seq: z.int(),
  at: isoTime,
  address: z.string(),
  event: z.string(),
  outcome: z.string(),
  reason: z.string().nullable(),
  state_before: z.string().nullable(),
  state_after: z.string().nullable(),
  trace: z.string(),
});

/** An event that reached nobody: nobody lived there, the actor was set aside, or its step failed. */
export const deadLetter = z.strictObject({
  seq: z.int(),
  at: isoTime,
  address: z.string(),
  event: z.string(),
  payload: jsonObject,
  reason: z.string(),
  trace: z.string(),
});

/** Set aside after a step failed, at its last good state. */
export const quarantinedActor = actorStateRow.extend({ error: errorData.nullable() });

export type DeadLetter = z.output<typeof deadLetter>;
export type QuarantinedActor = z.output<typeof quarantinedActor>;
export type ActorStateRow = z.output<typeof actorStateRow>;
export type ActorDetails = z.output<typeof actorDetails>;
export type ActorStep = z.output<typeof actorStep>;
