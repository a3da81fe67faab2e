import { approvalTable, auditTable, grantTable, type ApprovalState } from "../schema/rows.ts";
import type { ApprovalContext } from "../schema/contexts.ts";
import type { EventOf } from "../schema/events.ts";
import { auditEntry } from "./audit-entry.ts";
import type { ApprovalEvent } from "./approval-events.ts";
import { effects, type EffectAction, patchRow, putRow, toParent } from "./effect-actions.ts";

type Ended = Exclude<ApprovalState, "pending">;

export const openApproval = effects<ApprovalContext, ApprovalEvent>(({ context, event }) => {
  const {
    step_id: _step,
    tool_call_id: _call,
    task_id: _task,
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
      answer: null,
    }),
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
      ...grantsOf(context, event, decision.decided_by),
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

type Decision = {
  readonly decided_by: string;
  readonly answer: string;
  readonly scope: "once" | "session" | null;
};

function decisionOf(context: ApprovalContext, event: ApprovalEvent): Decision {
  switch (event.type) {
    case "approval.decide":
      return { decided_by: event.by, answer: event.reason ?? "", scope: scopeOf(context, event) };
    case "approval.answer":
      return { decided_by: event.by, answer: event.value, scope: null };
    case "approval.cancel":
      return { decided_by: "statehive", answer: event.reason ?? "", scope: null };
    default:
      return { decided_by: "deadline", answer: context.default_answer, scope: null };
  }
}

/** Where no narrow pattern can be proposed, a grant for the session would be too wide: the call is allowed once. */
function scopeOf(context: ApprovalContext, event: EventOf<"approval.decide">): "once" | "session" {
  return context.proposed_grants.length === 0 ? "once" : event.scope;
}

function decisionRow(
  context: ApprovalContext,
  event: ApprovalEvent,
  decided: Decision & { state: Ended },
) {
  return auditEntry(context, {
    kind: "decision",
    at: event.$.at,
    start_at: context.created_at,
    approval_required: 1,
    approval_result:
      decided.scope === "session" ? `${decided.state} for the session` : decided.state,
    decided_by: decided.decided_by,
    granted_capabilities: decided.state === "approved" ? context.requested : [],
    status: decided.state,
    error: null,
  });
}

function grantsOf(context: ApprovalContext, event: ApprovalEvent, givenBy: string): EffectAction[] {
  if (event.type !== "approval.decide" || event.decision !== "approve" || event.scope !== "session")
    return [];
  return context.proposed_grants.map((capability, index) =>
    putRow(grantTable, {
      grant_id: `g${event.$.seq}-${index}`,
      owner: context.session_address,
      tool: context.tool,
      capability,
      approval_id: context.approval_id,
      given_by: givenBy,
      given_at: event.$.at,
    }),
  );
}
