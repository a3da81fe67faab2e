import type { ToolCallContext } from "../../schema/contexts/tool-call-context.ts";
import type { ExecuteToolOutput } from "../../schema/activities.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { ToolOutput } from "../../schema/tool.ts";
import { refusalText } from "../../policy/refusal-text.ts";
import type { AnyToolCallEvent, CallEnd } from "./tool-call-events.ts";

/** What the model is told about a call that has ended. */

/** How a call ended, in one word: its final state, unless nobody knows what it did. */
export type CallStatus = CallEnd | "outcome_unknown";

/** A late word of the tool settles what was unknown; a person's `done` does too. */
export function statusOf(
  context: ToolCallContext,
  event: AnyToolCallEvent,
  end: CallEnd,
): CallStatus {
  const isKnown =
    !context.is_outcome_unknown || end === "done" || event.type === "activity.stopped";
  return isKnown ? end : "outcome_unknown";
}

export function resultOf(
  context: ToolCallContext,
  event: AnyToolCallEvent,
  status: CallStatus,
): ToolOutput {
  switch (status) {
    case "done":
      return doneResult(context, event);
    case "denied":
      return refusal(deniedText(context, event));
    case "failed":
      return refusal(failureText(context, event));
    case "cancelled":
      return refusal(cancelledText(event));
    case "outcome_unknown":
      return refusal(
        "activity.outcome_unknown: The call was interrupted. Whether it took effect is not known; it was not tried again.",
      );
  }
}

function refusal(output: string): ToolOutput {
  return { output, is_error: true };
}

function doneResult(context: ToolCallContext, event: AnyToolCallEvent): ToolOutput {
  if (event.type === "approval.decided" && context.verdict?.verdict === "question") {
    return { output: event.answer, is_error: false };
  }
  return (
    outputOf(event) ?? {
      output: "It was interrupted, but a person saw that it took effect.",
      is_error: false,
    }
  );
}

/** Where the tool came to its end. */
export function outputOf(event: AnyToolCallEvent): ExecuteToolOutput | undefined {
  if (event.type === "xstate.done.actor.executeTool") return event.output;
  if (event.type !== "activity.stopped") return undefined;
  return event.output as unknown as ExecuteToolOutput | undefined;
}

function deniedText(context: ToolCallContext, event: AnyToolCallEvent): string {
  if (event.type === "verdict.given") return `permission.denied: ${refusalText(event.reason)}`;
  if (event.type === "xstate.error.actor.executeTool") return errorText(event.error);
  if (event.type !== "approval.decided") return "permission.denied: The call was not allowed.";
  if (event.state === "expired") {
    return "permission.expired: Nobody decided in time, so the call was not allowed.";
  }
  const why = event.answer === "" ? "" : ` Their reason: ${event.answer}`;
  return `permission.denied: A person did not allow this ${context.call.name} call.${why}`;
}

function failureText(context: ToolCallContext, event: AnyToolCallEvent): string {
  if (event.type === "verdict.given") return event.reason;
  const { error } = event as { readonly error?: ErrorData };
  return error === undefined ? `tool.failed: ${context.call.name} failed.` : errorText(error);
}

function errorText({ code, message }: Pick<ErrorData, "code" | "message">): string {
  return `${code}: ${message}`;
}

function cancelledText(event: AnyToolCallEvent): string {
  return event.type === "activity.stopped" && event.ended === "aborted"
    ? "run.cancelled: The call was stopped before its end; what it had done by then was not undone."
    : "run.cancelled: The call was cancelled before it began.";
}
