import type { ApprovalContext } from "../schema/contexts.ts";
import type { Delivered } from "../schema/event.ts";
import type { EventOf } from "../schema/events.ts";

export type ApprovalInput = Omit<ApprovalContext, "created_at">;

export type ApprovalEvent = Delivered<
  EventOf<"approval.decide"> | EventOf<"approval.answer"> | EventOf<"approval.cancel">
>;
