import { AgentError } from "../schema/errors.ts";

/** Throws `activity.aborted` once the signal has fired. */
export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AgentError("activity.aborted", "The tool was stopped.");
}
