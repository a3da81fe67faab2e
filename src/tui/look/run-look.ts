import type { ActorStateRow } from "../../schema/shown/actor-view.ts";
import type { ShownRun } from "../../schema/socket/protocol.ts";
import type { SeenCall } from "../model/run-record.ts";
import { type Look, lookOf } from "./actor-look.ts";

/** How what is known of a run from rows looks, like its actor would. */

export function lookOfRun({ state, ended_at }: ShownRun, actor: ActorStateRow | undefined): Look {
  if (ended_at !== null) return lookOf({ status: "done", state, tags: [] });
  return lookOf(actor ?? living(state));
}

export function lookOfCall({ actor, state, isOver }: SeenCall): Look {
  if (isOver || actor === undefined) return lookOf({ status: "done", state, tags: [] });
  return lookOf(actor);
}

/** Of an actor of which only the state is known. */
export function living(state: string): Pick<ActorStateRow, "status" | "state" | "tags"> {
  return { status: "active", state, tags: [tagOf(state)] };
}

const asking = new Set(["awaiting_approval", "paused_budget", "outcome_unknown", "pending"]);
const waiting = new Set(["idle", "awaiting_user"]);

function tagOf(state: string): string {
  if (asking.has(state)) return "approval";
  return waiting.has(state) ? "waiting" : "busy";
}
