import type { ToolCallContext } from "../schema/contexts.ts";
import type { ErrorData } from "../schema/errors.ts";
import type { ToolOutput } from "../schema/tool.ts";
import type { AnyToolCallEvent, CallStatus } from "./tool-call-events.ts";

/** What the model is told about a call that has ended. */

/** Whether the tool itself ran, or may have run. */
export function wasExecuted(
  context: ToolCallContext,
  anyEvent: { readonly type: string },
  status: CallStatus,
): boolean {
  const event = anyEvent as AnyToolCallEvent;
  if (status === "outcome_unknown") return true;
  if (event.type === "activity.stopped") return event.ended !== "not_started";
  if (event.type === "approval.decided") return status === "done" && !isQuestion(context);
  return event.type.endsWith(".actor.executeTool");
}

function isQuestion(context: ToolCallContext): boolean {
  return context.verdict?.verdict === "question";
}

export function resultOf(
  context: ToolCallContext,
  event: { readonly type: string },
  status: CallStatus,
): ToolOutput {
  switch (status) {
    case "done":
      return doneResult(context, event as AnyToolCallEvent);
    case "denied":
      return { output: deniedText(context, event as AnyToolCallEvent), is_error: true };
    case "failed":
      return { output: failureText(context, event as AnyToolCallEvent), is_error: true };
    case "cancelled":
      return {
        output: "run.cancelled: The call was cancelled and did not take effect.",
        is_error: true,
      };
    case "outcome_unknown":
      return {
        output:
          "activity.outcome_unknown: The call was interrupted. Whether it took effect is not known; it was not tried again.",
        is_error: true,
      };
  }
}

function doneResult(context: ToolCallContext, event: AnyToolCallEvent): ToolOutput {
  if (event.type === "approval.decided" && isQuestion(context)) {
    return { output: event.answer, is_error: false };
  }
  if (event.type === "xstate.done.actor.executeTool") return event.output;
  if (event.type === "activity.stopped" && event.output !== undefined) {
    return event.output as unknown as ToolOutput;
  }
  return { output: "It was interrupted, but a person saw that it took effect.", is_error: false };
}

function deniedText(context: ToolCallContext, event: AnyToolCallEvent): string {
  if (event.type === "verdict.given") return `permission.denied: ${event.reason}`;
  if (event.type !== "approval.decided") return "permission.denied: The call was not allowed.";
  if (event.state === "expired") {
    return "permission.expired: Nobody decided in time, so the call was not allowed.";
  }
  const why = event.answer === "" ? "" : ` Their reason: ${event.answer}`;
  return `permission.denied: A person did not allow this ${context.call.name} call.${why}`;
}

function failureText(context: ToolCallContext, event: AnyToolCallEvent): string {
  if (event.type === "verdict.given") return event.reason;
  const error = (event as { readonly error?: Pick<ErrorData, "code" | "message"> }).error;
  if (error === undefined) return `tool.failed: ${context.call.name} failed.`;
  return `${error.code}: ${error.message}`;
}
