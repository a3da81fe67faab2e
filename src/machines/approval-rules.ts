import type { ApprovalContext } from "../schema/contexts.ts";
import type { ApprovalKind } from "../schema/permission-rows.ts";
import type { ApprovalEvent } from "./approval-events.ts";

/** Which answers a question takes. */

type Asked = { readonly context: ApprovalContext; readonly event: ApprovalEvent };

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
