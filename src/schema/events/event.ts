import type { z } from "zod";
import type { Json, JsonObject } from "../json.ts";

/** A stable path: `session/<key>/run/r7/call/c2`. Relative forms in effects: `parent`, `./<child id>`. */
export type Address = string;

export type Origin = "actor" | "channel" | "cli" | "tui" | "api" | "timer";

/** What every delivered event and every input carries: XState has no other way to tell a guard the time. */
export type EventMeta = {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The number of this very step, unique in the service and rising; ids are made from it. */
  readonly seq: number;
  readonly trace: string;
  /** The step that caused this one; null for what came from outside. */
  readonly cause: number | null;
  readonly origin: Origin;
  /** The address of the actor that receives it. */
  readonly self: Address;
};

export type Delivered<E extends { readonly type: string }> = E & { readonly $: EventMeta };

export type EventData = { readonly type: string; readonly [key: string]: Json };

/** How an event ended: taken by a transition; refused with a reason; or undeliverable (a dead letter). */
export type Outcome = "handled" | "rejected" | "dead";

/** One event's entry in the registry: payload, who may send it, whether a person may poke it. */
export type EventSpec = {
  readonly payload: z.ZodType<JsonObject>;
  readonly origins: readonly Origin[];
  readonly pokeable: boolean;
  readonly description: string;
};

export type EventRegistry = { readonly [type: string]: EventSpec };
