import type { ErrorData } from "../../schema/errors.ts";
import type { EventData } from "../../schema/events/event.ts";
import type { Json } from "../../schema/json.ts";
import type { Ended, Settlement } from "./activity-kind.ts";
import type { Mail } from "../mail/mail.ts";
import type { ActivityRow } from "../tables.ts";

/** How an activity's end is said to its actor: as XState's done or error event, or, after a stop, as `activity.stopped`. */

export function settlementMail(row: ActivityRow, settlement: Settlement): Mail {
  if (row.status === "stopping") return stoppedMail(row, stoppedHow(settlement));
  const actorId = row.id;
  if (settlement.ok) {
    const type = `xstate.done.actor.${actorId}`;
    return mailTo(row, { type, actorId, output: settlement.output });
  }
  return mailTo(row, { type: `xstate.error.actor.${actorId}`, actorId, error: settlement.error });
}

export type Stopped = {
  readonly ended: Ended;
  readonly output?: Json;
  readonly error?: ErrorData;
};

export function stoppedMail(row: ActivityRow, stopped: Stopped): Mail {
  return mailTo(row, { type: "activity.stopped", activity: row.id, ...stopped });
}

function stoppedHow(settlement: Settlement): Stopped {
  if (settlement.ok) return { ended: "completed", output: settlement.output };
  const { error } = settlement;
  if (error.code === "activity.aborted") return { ended: "aborted" };
  if (error.code === "activity.outcome_unknown") return { ended: "unknown" };
  return { ended: "completed", error };
}

function mailTo(row: ActivityRow, event: EventData): Mail {
  const { address, trace, id, seq } = row;
  const source = { kind: "activity", id, seq } as const;
  return { address, event, origin: "actor", trace, cause: seq, source };
}

/** What the death of the service means for a row that it left started or stopping; undefined: it runs again.
 *  @param isTooOften it is given up rather than tried again */
export function lostSettlement(row: ActivityRow, isTooOften: boolean): Settlement | undefined {
  if (row.recovery === "once") return lost(row, "activity.outcome_unknown");
  if (row.status === "stopping")
    return lost(row, row.recovery === "repeat" ? "activity.aborted" : "activity.outcome_unknown");
  return isTooOften ? lost(row, "activity.crash_loop") : undefined;
}

/** The end of an attempt that will be repeated. */
export function cutOff(row: ActivityRow): Settlement {
  return lost(row, "activity.aborted");
}

/** The end of an attempt whose mark was taken back before anything began. */
export function unstarted({ src }: ActivityRow): Settlement {
  const message = `${src} was stopped before it began`;
  return { ok: false, error: { code: "activity.aborted", message, retryable: false } };
}

function lost(row: ActivityRow, code: ErrorData["code"]): Settlement {
  const message = `${row.src} was interrupted in attempt ${row.attempt} when the service died`;
  return { ok: false, error: { code, message, retryable: false } };
}
