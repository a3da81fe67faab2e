import type { ToolCallContext } from "../../schema/contexts/tool-call-context.ts";
import type { EventOf } from "../../schema/events/events.ts";
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
function decisionOf(asked: Asked): EventOf<"approval.decided"> | undefined {
  const event = eventOf(asked);
  if (event.type !== "approval.decided") return undefined;
  return event.approval_id === asked.context.approval?.id ? event : undefined;
}

export const isDecided = (asked: Asked): boolean => decisionOf(asked) !== undefined;
export const isApproved = (asked: Asked): boolean => decisionOf(asked)?.state === "approved";
export const isQuestionVoid = (asked: Asked): boolean => decisionOf(asked)?.state === "cancelled";

/** An unanswered question ends with its default, which the model gets as the answer. */
export function isAnswered(asked: Asked): boolean {
  const decision = decisionOf(asked);
  if (decision?.state === "answered") return true;
  return decision?.state === "expired" && asked.context.verdict?.verdict === "question";
}

function answers(asked: Asked, word: string): boolean {
  const decision = decisionOf(asked);
  return decision?.state === "answered" && decision.answer === word;
}

export const isRetryWanted = (asked: Asked): boolean => answers(asked, "retry");
export const isTakenAsDone = (asked: Asked): boolean => answers(asked, "done");

/** The address of whoever failed is that of the question that is open now. */
export function isQuestionLost(asked: Asked): boolean {
  const event = eventOf(asked);
  if (event.type !== "actor.failed" || asked.context.approval === null) return false;
  return event.address.endsWith(`/approval/${asked.context.approval.id}`);
}

function errorCode(asked: Asked): string | undefined {
  const event = eventOf(asked);
  return event.type === "xstate.error.actor.executeTool" ? event.error.code : undefined;
}

export const isOutcomeUnknown = (asked: Asked): boolean =>
  errorCode(asked) === "activity.outcome_unknown";

/** Between the verdict and the start the policy or the grants changed: it was not begun. */
export const isRefusedAtStart = (asked: Asked): boolean => errorCode(asked) === "permission.denied";

function stopped(asked: Asked): EventOf<"activity.stopped"> | undefined {
  const event = eventOf(asked);
  return event.type === "activity.stopped" ? event : undefined;
}

export const hasFailed = (asked: Asked): boolean => stopped(asked)?.error !== undefined;
export const hasCompleted = (asked: Asked): boolean => stopped(asked)?.ended === "completed";

/** It never began, or gave up before its end because it was told to. */
export function hasGivenUp(asked: Asked): boolean {
  const ended = stopped(asked)?.ended;
  return ended === "not_started" || ended === "aborted";
}
