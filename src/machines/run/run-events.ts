import type { CallModelOutput } from "../../schema/activities.ts";
import type { RunContext } from "../../schema/contexts/run-context.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { EventOf } from "../../schema/events/events.ts";

export type RunInput = Omit<
  RunContext,
  | "limits"
  | "round"
  | "calls"
  | "usage"
  | "tags"
  | "remaining_ms"
  | "active_since"
  | "repeated"
  | "steered"
  | "is_stopping"
  | "shortened"
  | "paused"
  | "ending"
  | "error"
  | "earlier_reply"
  | "reply"
> & {
  readonly text: string;
  /** What the task may do at most; nothing named: what the agent may. */
  readonly boundary?: readonly string[];
};

export type RunEvent =
  | EventOf<"slot.granted">
  | EventOf<"run.cancel">
  | EventOf<"run.stop_after_step">
  | EventOf<"run.steered">
  | EventOf<"inbox.handed">
  | EventOf<"call.changed">
  | EventOf<"approval.decided">
  | EventOf<"activity.stopped">
  | EventOf<"actor.failed">;

export type CallModelDone = {
  readonly type: "xstate.done.actor.callModel";
  readonly output: CallModelOutput;
};
export type CallModelError = {
  readonly type: "xstate.error.actor.callModel";
  readonly error: ErrorData;
};

export type AnyRunEvent = RunEvent | CallModelDone | CallModelError;
