import { z } from "zod";
import { errorData, isoTime, jsonObject, strings } from "./shown.ts";

/** Actors as people and scripts see them. */

export const actorStateRow = z.strictObject({
  address: z.string(),
  kind: z.string(),
  state: z.string().describe("The leaf path of the chart: `awaiting_approval`."),
  status: z.enum(["active", "done", "error", "stopped", "quarantined"]),
  parent: z.string().nullable(),
  since: isoTime,
  tags: strings,
  trace: z.string().describe("Of the message that it works for, or that made it."),
});

const nextEvent = z.strictObject({
  type: z.string(),
  pokeable: z.boolean().describe("A person may send it by hand."),
  description: z.string(),
  payload: jsonObject
    .nullable()
    .describe("A JSON schema (draft 2020-12) of what it carries; null: nothing."),
  targets: strings.describe(
    "Where it may lead: paths of states, with the present one where it leads to no other.",
  ),
});

const runningTimer = z.strictObject({
  name: z.string().describe("The delay's name in the chart: `runDeadline`; or the timer's own."),
  at: isoTime.describe("When it is due."),
  event: z.string().describe("What it is called in the chart: `after runDeadline`."),
});

const openActivity = z.strictObject({
  name: z.string(),
  status: z.enum(["pending", "started", "stopping"]),
  attempt: z.int().describe("Starts so far."),
  failed: z.int().describe("Attempts that ended with an error and are made again."),
  lost: z.int().describe("Attempts that the death of the service interrupted."),
  not_before: isoTime.nullable().describe("When the next attempt may begin, where it waits."),
  error: errorData.nullable().describe("Why the attempt before failed."),
});

/** Longer contexts are shown shortened. */
export const longestContext = 256 * 1024;

export const actorDetails = actorStateRow.extend({
  version: z.string(),
  seq: z.int().describe("The number of its last step."),
  created_at: isoTime,
  active: strings.describe("Every active state, the outer ones before those within."),
  context: jsonObject.describe(
    "Secrets replaced. Over 256 KiB its longest parts are cut, and say how much they lack.",
  ),
  next_events: z
    .array(nextEvent)
    .readonly()
    .describe(
      "What it accepts now. Where a guard reads the payload, the event is there for what some payload does.",
    ),
  timers: z.array(runningTimer).readonly().describe("The next one first."),
  activities: z.array(openActivity).readonly(),
  children: z.int().describe("Living actors that it has made."),
  error: errorData.nullable(),
});

export const sendAnswer = z.strictObject({
  seq: z.int(),
  outcome: z.string(),
  state: z.string(),
  reason: z.string().exactOptional(),
});

export const actorStep = z
  .strictObject({
    seq: z.int(),
    at: isoTime,
    address: z.string(),
    event: z.string(),
    outcome: z.string(),
    reason: z.string().nullable(),
    state_before: z.string().nullable(),
    state_after: z.string().nullable(),
    trace: z.string(),
  })
  .describe("One line of the journal: an event, and what it changed.");

export const deadLetter = z
  .strictObject({
    seq: z.int(),
    at: isoTime,
    address: z.string(),
    event: z.string(),
    payload: jsonObject,
    reason: z.string(),
    trace: z.string(),
  })
  .describe(
    "An event that reached nobody: nobody lived there, the actor was set aside, or its step failed.",
  );

export const quarantinedActor = actorStateRow
  .extend({ error: errorData.nullable() })
  .describe("Set aside after a step failed, at its last good state.");

export type DeadLetter = z.output<typeof deadLetter>;
export type QuarantinedActor = z.output<typeof quarantinedActor>;
export type ActorStateRow = z.output<typeof actorStateRow>;
export type ActorDetails = z.output<typeof actorDetails>;
export type ActorStep = z.output<typeof actorStep>;
