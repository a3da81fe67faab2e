import { z } from "zod";
import type { EventData } from "../events/event.ts";
import { errorData, isoTime, json } from "./shown.ts";

/** Actors as an inspector sees them: with their whole snapshot, redacted and cut to a sane size. */

const inspectedSnapshot = z.strictObject({
  status: z.enum(["active", "done", "error", "stopped", "quarantined"]),
  value: json.describe('XState\'s state value: `"thinking"`, or an object for nested states.'),
  context: json,
  error: errorData.exactOptional(),
});

export const inspectedActor = z.strictObject({
  address: z.string(),
  name: z.string().describe("What its supervisor calls it: `run/r7`."),
  machine: z.string(),
  version: z.string(),
  parent: z.string().nullable(),
  root: z.string().describe("The topmost of its supervisors."),
  seq: z.int().describe("The last step's number."),
  snapshot: inspectedSnapshot,
});

const event = z.looseObject({ type: z.string() }) as unknown as z.ZodType<EventData, EventData>;

const inspectedStep = z.strictObject({
  seq: z.int(),
  at: isoTime,
  address: z.string(),
  source: z
    .string()
    .nullable()
    .describe(
      "The address of the actor that sent it: its own for an activity or a timer of its own; null for what came from outside.",
    ),
  event: event.describe("With its payload."),
  outcome: z.enum(["handled", "rejected", "dead"]),
  reason: z.string().nullable(),
  state_before: z.string().nullable(),
  state_after: z.string().nullable(),
  trace: z.string(),
  snapshot: inspectedSnapshot
    .nullable()
    .describe("Of the actor after it; null where nobody lived there."),
});

export const inspectedNews = z.strictObject({
  actors: z
    .array(inspectedActor)
    .readonly()
    .describe(
      "Those that were born, parents first; where steps were `dropped`, all that live, as they are now: others have ended.",
    ),
  steps: z.array(inspectedStep).readonly(),
  dropped: z.int().describe("Steps that are missing, because the client read too slowly."),
});

export type InspectedSnapshot = z.output<typeof inspectedSnapshot>;
export type InspectedActor = z.output<typeof inspectedActor>;
export type InspectedStep = z.output<typeof inspectedStep>;
export type InspectedNews = z.output<typeof inspectedNews>;
