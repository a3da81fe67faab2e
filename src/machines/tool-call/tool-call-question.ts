import type { ToolCallContext, VerdictGiven } from "../../schema/contexts/tool-call-context.ts";
import { shownOrigins } from "../../policy/taint.ts";
import type { ApprovalInput } from "../approval/approval-events.ts";

/** What a tool call asks a person: whether it may run, what the answer is, what became of it. */

type Open = ToolCallContext & { readonly verdict: VerdictGiven };

export function callQuestion({ verdict, ...call }: Open): ApprovalInput {
  const isQuestion = verdict.verdict === "question";
  return {
    ...aboutCall({ verdict, ...call }),
    kind: isQuestion ? "question" : "call",
    summary: isQuestion ? verdict.question : verdict.summary,
    reason: verdict.reason,
    options: isQuestion ? verdict.options : ["approve", "deny"],
    default_answer: isQuestion ? "Nobody answered in time." : "deny",
  };
}

export function outcomeQuestion(call: Open): ApprovalInput {
  return {
    ...aboutCall(call),
    kind: "outcome",
    summary: call.verdict.summary,
    reason:
      "It was interrupted; whether it took effect is not known. Look, then say: retry, skip or done.",
    proposed_grants: [],
    terms: "",
    options: ["retry", "skip", "done"],
    default_answer: "skip",
  };
}

type Wording = "kind" | "summary" | "reason" | "options" | "default_answer";

function aboutCall({ verdict, call, approval, ...context }: Open): Omit<ApprovalInput, Wording> {
  const { session_id, session_address, agent_id, task_id, run_id, trace_id, step_id } = context;
  const { binding, risk, requested, proposed_grants, pin, terms, brings, approvers } = verdict;
  return {
    session_id,
    session_address,
    agent_id,
    task_id,
    run_id,
    trace_id,
    step_id,
    binding,
    risk,
    requested,
    proposed_grants,
    pin,
    terms,
    approval_id: approval?.id ?? "",
    tool_call_id: call.id,
    tool: call.name,
    input: call.input,
    accepted: [...shownOrigins(context.trust, brings)],
    approvers,
    timeout_ms: context.approval_timeout_ms,
  };
}
