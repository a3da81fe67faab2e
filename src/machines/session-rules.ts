import type { SessionContext } from "../schema/contexts.ts";
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

/** Between the end of one run and the message that begins the next. */
export function hasNoRun({ context }: Asked): boolean {
  return context.run === null;
}
