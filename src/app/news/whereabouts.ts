import { keyIn, placeIn } from "../../actors/session-key.ts";
import type { JournalRow } from "../../engine/tables.ts";
import type { Lineage } from "../../schema/contexts/lineage.ts";
import type { Whereabouts } from "../../schema/shown/news.ts";
import { iso } from "../records/shown.ts";

/** What each event tells of the step that it came from, and of whose it is. */

export function stepIds({ seq, at, trace }: JournalRow) {
  return { seq, at: iso(at), trace_id: trace };
}

export function lineageOf(step: JournalRow, context: Lineage): Whereabouts {
  const { task_id, run_id } = context;
  return { ...sessionOf(step, context), task_id, run_id };
}

type OfSession = Pick<Lineage, "session_address" | "agent_id" | "session_id">;

export function sessionOf(
  step: JournalRow,
  { session_address, agent_id, session_id }: OfSession,
): Whereabouts {
  const place = placeIn(keyIn(session_address));
  return { ...place, agent_id, session_id, task_id: null, run_id: null, ...stepIds(step) };
}
