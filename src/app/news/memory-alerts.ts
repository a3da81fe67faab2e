import type { JournalRow } from "../../engine/tables.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { Alert } from "../../schema/shown/observed.ts";
import { endedIn } from "../records/ended-in.ts";

/** What of memory a person should know of. */
export function memoryAlert(step: JournalRow): Pick<Alert, "kind" | "message"> | undefined {
  const { outcome, event, event_type, machine } = step;
  const error = event["error"] as ErrorData | null | undefined;
  if (outcome !== "handled" || error === null || error === undefined) return undefined;
  if (machine === "consolidation") return ofConsolidation(step, error);
  if (event_type !== "xstate.error.actor.changeMemory" || isAnswer(error)) return undefined;
  return { kind: "memory.not_written", message: `memory was not written: ${error.message}` };
}

/** Whoever asked for the change hears of it, and can ask otherwise. */
function isAnswer({ code }: ErrorData): boolean {
  return code.startsWith("memory.") && code !== "memory.unavailable";
}

function ofConsolidation(
  step: JournalRow,
  { message }: ErrorData,
): Pick<Alert, "kind" | "message"> | undefined {
  if (endedIn(step, "failed") === undefined) return undefined;
  return { kind: "consolidation.failed", message: `memory was not tidied: ${message}` };
}
