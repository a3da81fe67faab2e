import type { ErrorData } from "./errors.ts";
import type { JsonObject } from "./json.ts";

/** Actors as people and scripts see them. */

export type ActorStateRow = {
  readonly address: string;
  readonly kind: string;
  /** The leaf path of the chart: `awaiting_approval`. */
  readonly state: string;
  readonly status: "active" | "done" | "error" | "stopped" | "quarantined";
  readonly parent: string | null;
  readonly since: string;
  readonly tags: readonly string[];
};

export type NextEvent = {
  readonly type: string;
  readonly pokeable: boolean;
  readonly description: string;
};

export type ActorDetails = ActorStateRow & {
  readonly version: string;
  readonly seq: number;
  readonly context: JsonObject;
  readonly next_events: readonly NextEvent[];
  readonly error: ErrorData | null;
};

export type SendAnswer = { readonly seq: number; readonly outcome: string; readonly state: string };
