import type { ApprovalContext } from "../../schema/contexts/approval-context.ts";
import type { ApprovalKind } from "../../schema/rows/permission-rows.ts";
import type { ApprovalEvent, PersonsAnswer } from "./approval-events.ts";

/** Which answers a question takes, and from whom. */

type Asked = { readonly context: ApprovalContext; readonly event: ApprovalEvent };

function answerIn({ event }: Asked): PersonsAnswer | undefined {
  const isAnswer = event.type === "approval.decide" || event.type === "approval.answer";
  return isAnswer ? event : undefined;
}

/** The owner at the local surfaces may always answer; on a channel, only who is named, letter by letter, and was not barred since. */
export function isForeign(asked: Asked): boolean {
  const answer = answerIn(asked);
  if (answer?.$.origin !== "channel") return false;
  return answer.is_barred === true || !asked.context.approvers.includes(answer.by);
}

/** The deadline has passed, though its timer may not have fired yet. */
export function isLate({ context, event }: Asked): boolean {
  return event.$.at >= context.created_at + context.timeout_ms;
}

/** What the answer was given to is not this question. */
export function isForOther(asked: Asked): boolean {
  const shown = answerIn(asked)?.binding;
  return shown !== undefined && shown !== asked.context.binding;
}

export function isAboutCall({ context }: Asked): boolean {
  return context.kind === "call";
}

/** The way of answering that this kind of question never takes, whatever is said. */
export function wrongAnswerFor(kind: ApprovalKind): ApprovalEvent["type"] {
  return kind === "call" ? "approval.answer" : "approval.decide";
}

export function isApproved(asked: Asked): boolean {
  const { event } = asked;
  return isAboutCall(asked) && event.type === "approval.decide" && event.decision === "approve";
}

export function isDenied(asked: Asked): boolean {
  const { event } = asked;
  return isAboutCall(asked) && event.type === "approval.decide" && event.decision === "deny";
}

/** A question without options takes any text; one about an outcome takes only what it offers. */
export function fitsQuestion(asked: Asked): boolean {
  const { context, event } = asked;
  if (event.type !== "approval.answer" || isAboutCall(asked)) return false;
  if (context.kind === "question") return true;
  return context.options.includes(event.value);
}
