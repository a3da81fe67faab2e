import type { ToolCallContext } from "../schema/contexts.ts";
import type { ErrorData } from "../schema/errors.ts";
import type { AnyToolCallEvent } from "./tool-call-events.ts";

/** The yes/no questions of the tool call's chart. */

type Asked = { readonly context: ToolCallContext; readonly event: { readonly type: string } };

const eventOf = ({ event }: Asked) => event as AnyToolCallEvent;

function verdictIs(asked: Asked, ...verdicts: readonly string[]): boolean {
  const event = eventOf(asked);
  return event.type === "verdict.given" && verdicts.includes(event.verdict);
}

export const isAllowed = (asked: Asked): boolean => verdictIs(asked, "run");
export const asksPerson = (asked: Asked): boolean => verdictIs(asked, "ask", "question");
export const isInvalid = (asked: Asked): boolean => verdictIs(asked, "invalid");

/** A decision counts only for the question that is open now. */
function decided(asked: Asked): { readonly state: string; readonly answer: string } | undefined {
  const event = eventOf(asked);
  if (event.type !== "approval.decided") return undefined;
  return event.approval_id === asked.context.approval?.id ? event : undefined;
}

export const isApprovedByPerson = (asked: Asked): boolean => decided(asked)?.state === "approved";
export const isCancelledByPerson = (asked: Asked): boolean => decided(asked)?.state === "cancelled";

/** An unanswered question ends with its default, which the model gets as the answer. */
export function isAnswered(asked: Asked): boolean {
  const decision = decided(asked);
  if (decision?.state === "answered") return true;
  return decision?.state === "expired" && asked.context.verdict?.verdict === "question";
}

export const isRetryWanted = (asked: Asked): boolean => decided(asked)?.answer === "retry";
export const isTakenAsDone = (asked: Asked): boolean => decided(asked)?.answer === "done";

export function isOutcomeUnknown({ event }: Asked): boolean {
  return (event as { readonly error?: ErrorData }).error?.code === "activity.outcome_unknown";
}

function stopped(asked: Asked) {
  const event = eventOf(asked);
  return event.type === "activity.stopped" ? event : undefined;
}

export const wasCompleted = (asked: Asked): boolean => stopped(asked)?.ended === "completed";
export const wasFailed = (asked: Asked): boolean => stopped(asked)?.error !== undefined;
export const wasLeftUnknown = (asked: Asked): boolean => stopped(asked)?.ended === "unknown";
