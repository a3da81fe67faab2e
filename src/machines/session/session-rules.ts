import type { SessionContext } from "../../schema/contexts/session-context.ts";
import type { SessionEvent } from "./session-events.ts";

/** The yes/no questions of the session's chart. */

type Asked = { readonly context: SessionContext; readonly event: SessionEvent };

export function isPresentRun({ context, event }: Asked): boolean {
  return event.type === "run.finished" && event.run_id === context.run?.id;
}

export function isFailureOfPresentRun({ context, event }: Asked): boolean {
  return event.type === "actor.failed" && event.address === context.run?.address;
}

export function hasWaitingMessages(asked: Asked): boolean {
  return asked.context.queued > 0 && (isPresentRun(asked) || isFailureOfPresentRun(asked));
}

export function isQueueOpen({ context }: Asked): boolean {
  return context.queued < context.queue_cap;
}

/** A message for the run that works now; one with a boundary of its own waits for a run of its own. */
export function isSteering(asked: Asked): boolean {
  const { context, event } = asked;
  if (event.type !== "message.received" || event.queue !== "steer") return false;
  if (event.boundary !== undefined) return false;
  return context.run !== null && isQueueOpen(asked);
}

/** The first message that wants the present run to end; asked twice, a run would leave its tools behind unsettled. */
export function isInterrupting(asked: Asked): boolean {
  const { context, event } = asked;
  if (event.type !== "message.received" || event.queue !== "interrupt") return false;
  return context.run !== null && !context.run.interrupted && isQueueOpen(asked);
}

/** Between the end of one run and the message that begins the next. */
export function hasNoRun({ context }: Asked): boolean {
  return context.run === null;
}
