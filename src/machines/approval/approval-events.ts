import type { ApprovalContext } from "../../schema/contexts/approval-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import type { EventOf } from "../../schema/events/events.ts";

/** `binding` is that of what the question is about; the approval's own covers the question too. */
export type ApprovalInput = Omit<ApprovalContext, "created_at">;

export type ApprovalEvent = Delivered<
  EventOf<"approval.decide"> | EventOf<"approval.answer"> | EventOf<"approval.cancel">
>;

/** An answer of a person, whatever it is. */
export type PersonsAnswer = Extract<
  ApprovalEvent,
  { readonly type: "approval.decide" | "approval.answer" }
>;
