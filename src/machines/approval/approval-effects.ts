import { auditTable } from "../../schema/rows/audit-rows.ts";
import {
  approvalTable,
  type ApprovalState,
  type DecisionScope,
} from "../../schema/rows/permission-rows.ts";
import type { ApprovalContext } from "../../schema/contexts/approval-context.ts";
import { auditEntry } from "../audit-entry.ts";
import type { ApprovalEvent, PersonsAnswer } from "./approval-events.ts";
import { grantsOf, scopeOf, untilOf } from "./approval-grants.ts";
import { askChannel, effects, patchRow, putRow, refuseWith, toParent } from "../effect-actions.ts";

type Ended = Exclude<ApprovalState, "pending">;

export const openApproval = effects<ApprovalContext, ApprovalEvent>(({ context, event }) => {
  const {
    tool_call_id: _call,
    task_id: _task,
    pin: _pin,
    accepted: _accepted,
    timeout_ms,
    session_address: _session,
    ...shown
  } = context;
  return [
    putRow(approvalTable, {
      ...shown,
      address: event.$.self,
      state: "pending",
      expires_at: context.created_at + timeout_ms,
      decided_at: null,
      decided_by: null,
      scope: null,
      until: null,
      answer: null,
    }),
    ...askChannel(context.session_address, "tellQuestion", { approval_id: context.approval_id }),
  ];
});

/** The row, the audit, the grant that was given with it, and the word to whoever asked: one transaction. */
export const concludeApproval = effects<ApprovalContext, ApprovalEvent, { state: Ended }>(
  ({ context, event }, { state }) => {
    const { approval_id } = context;
    const decision = decisionOf(context, event);
    return [
      patchRow(approvalTable, [approval_id], { state, decided_at: event.$.at, ...decision }),
      putRow(auditTable, decisionRow(context, event, { state, ...decision })),
      ...(event.type === "approval.decide" ? grantsOf(context, event) : []),
      ...askChannel(context.session_address, "tellOutcome", { approval_id }),
      toParent({
        type: "approval.decided",
        approval_id,
        state,
        answer: decision.answer,
        decided_by: decision.decided_by,
      }),
    ];
  },
);

const refusals = {
  "approval.not_approver": ({ approval_id }: ApprovalContext, { by }: PersonsAnswer) =>
    `${by} may not decide ${approval_id}.`,
  "approval.ended": ({ approval_id, default_answer }: ApprovalContext) =>
    `The deadline of ${approval_id} has passed; the default holds: ${default_answer}.`,
  "approval.changed": ({ approval_id }: ApprovalContext) =>
    `What was shown is not what ${approval_id} asks.`,
};

/** An answer that does not count leaves a row in the audit, and the question as it was. */
export const refuseAnswer = effects<
  ApprovalContext,
  ApprovalEvent,
  { code: keyof typeof refusals }
>(({ context, event }, { code }) => {
  const answer = event as PersonsAnswer;
  const message = refusals[code](context, answer);
  return [
    putRow(
      auditTable,
      auditEntry(context, {
        kind: "decision",
        at: answer.$.at,
        start_at: context.created_at,
        approval_required: 1,
        approval_result: null,
        decided_by: answer.by,
        granted_capabilities: [],
        status: "refused",
        reason: message,
        error: code,
      }),
    ),
    refuseWith(code, message),
  ];
});

type Decision = {
  readonly decided_by: string;
  readonly answer: string;
  readonly scope: DecisionScope | null;
  readonly until: number | null;
};

type Concluded = Decision & { readonly state: Ended };

function decisionOf(context: ApprovalContext, event: ApprovalEvent): Decision {
  switch (event.type) {
    case "approval.decide":
      return {
        decided_by: event.by,
        answer: event.reason ?? "",
        scope: scopeOf(context, event),
        until: untilOf(context, event),
      };
    case "approval.answer":
      return { decided_by: event.by, answer: event.value, scope: null, until: null };
    case "approval.cancel":
      return { decided_by: "statehive", answer: event.reason ?? "", scope: null, until: null };
    default:
      return { decided_by: "deadline", answer: context.default_answer, scope: null, until: null };
  }
}

function decisionRow(context: ApprovalContext, event: ApprovalEvent, decided: Concluded) {
  return auditEntry(context, {
    kind: "decision",
    at: event.$.at,
    start_at: context.created_at,
    approval_required: 1,
    approval_result: resultOf(context, decided),
    decided_by: decided.decided_by,
    granted_capabilities: allowsToRun(context, decided) ? context.requested : [],
    status: decided.state,
    reason: context.reason,
    error: null,
  });
}

/** What was decided, in words: `approved for the session`, `answered: retry`. A person's free text is not repeated here. */
function resultOf({ kind }: ApprovalContext, { state, scope, answer }: Concluded): string {
  if (scope !== null && scope !== "once") return `${state} for the ${scope}`;
  const isChoice = kind === "outcome" || kind === "budget";
  return isChoice && state === "answered" ? `${state}: ${answer}` : state;
}

function allowsToRun({ kind }: ApprovalContext, { state, answer }: Concluded): boolean {
  return state === "approved" || (kind === "outcome" && state === "answered" && answer === "retry");
}
