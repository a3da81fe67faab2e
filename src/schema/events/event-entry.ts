import { z } from "zod";
import type { EventSpec, Origin } from "./event.ts";

/** What the lists of events are made of. */

export type EventEntry = Omit<EventSpec, "payload">;

export const fromPeople = ["cli", "tui", "channel", "api"] as const satisfies readonly Origin[];

/** What actors say to each other, and the engine to them. */
export const internal = (description: string): EventEntry => ({
  origins: ["actor"],
  pokeable: false,
  description,
});

export const nothing = z.strictObject({});
export const reason = z.string().max(2000).describe("Why, in words.");
