import type { ExecuteToolOutput } from "../../schema/activities.ts";
import type { ToolCallContext } from "../../schema/contexts/tool-call-context.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { EventOf } from "../../schema/events/events.ts";

export type ToolCallInput = Omit<
  ToolCallContext,
  "verdict" | "approval" | "allowed" | "is_outcome_unknown" | "started_at"
>;

/** The final states of the chart. */
export type CallEnd = "done" | "denied" | "failed" | "cancelled";

export type ToolCallEvent =
  | EventOf<"verdict.given">
  | EventOf<"approval.decided">
  | EventOf<"call.cancel">
  | EventOf<"activity.stopped">
  | EventOf<"actor.failed">;

/** What XState itself sends when the invoked activity ends. */
export type ExecuteToolDone = {
  readonly type: "xstate.done.actor.executeTool";
  readonly output: ExecuteToolOutput;
};
export type ExecuteToolError = {
  readonly type: "xstate.error.actor.executeTool";
  readonly error: ErrorData;
};

export type AnyToolCallEvent = ToolCallEvent | ExecuteToolDone | ExecuteToolError;
