import type { ShownApproval } from "../schema/protocol.ts";
import { reachText } from "./decision-text.ts";
import { shown } from "./shown.ts";
import { moment, until } from "./times.ts";

/** What a person should know of a question before they decide, said the same wherever it is put to them; its input, and the
 *  text of a question, stand beside these facts. */

const titles: { readonly [kind in ShownApproval["kind"]]: string } = {
  call: "Approval",
  question: "Question",
  outcome: "What became of this call?",
  budget: "A budget has no room left",
};

/** `Approval a7`; of a decided one also what it is, and by whom. */
export function approvalTitle({ id, kind, state, decided_by }: ShownApproval): string {
  const decided = state === "pending" ? "" : ` (${state} by ${shown(decided_by)})`;
  return `${titles[kind]} ${shown(id)}${decided}`;
}

export type ApprovalFact = readonly [name: string, value: string];

/** Cleaned for one line each. */
export function approvalFacts(approval: ShownApproval, now: number): ApprovalFact[] {
  switch (approval.kind) {
    case "question":
      return questionFacts(approval, now);
    case "budget":
      return budgetFacts(approval, now);
    default:
      return callFacts(approval, now);
  }
}

/** What a person has said to it. */
export function answerOf({ state, answer }: ShownApproval) {
  if (answer === null || answer === "") return undefined;
  const isWhy = state === "approved" || state === "denied";
  return { name: isWhy ? "their reason" : "answer", text: answer };
}

function questionFacts(approval: ShownApproval, now: number): ApprovalFact[] {
  const { state, expires_at } = approval;
  return [
    ["agent, run", whence(approval)],
    ...deciders(approval),
    state === "pending" ? endFact(approval, until(expires_at, now)) : decidedFact(approval),
  ];
}

function budgetFacts(approval: ShownApproval, now: number): ApprovalFact[] {
  const { reason, state, expires_at } = approval;
  return [
    ["asked because", shown(reason)],
    ["agent, run", whence(approval)],
    ...deciders(approval),
    state === "pending" ? endFact(approval, until(expires_at, now)) : decidedFact(approval),
  ];
}

function callFacts(approval: ShownApproval, now: number): ApprovalFact[] {
  const { tool, summary, risk, reason, requested, state, expires_at } = approval;
  return [
    ["tool", `${shown(tool)} (${risk})`],
    ["does", shown(summary)],
    ["asked because", shown(reason)],
    ["needs", shown(requested.join(", "))],
    ["agent, run", whence(approval)],
    ...deciders(approval),
    ...(approval.kind === "call" && state === "pending" ? [sessionFact(approval)] : []),
    state === "pending" ? endFact(approval, until(expires_at, now)) : decidedFact(approval),
  ];
}

function whence({ agent_id, run_id, step_id }: ShownApproval): string {
  const step = step_id === "" ? "" : `, step ${shown(step_id)}`;
  return `${shown(agent_id)}, ${shown(run_id)}${step}`;
}

/** Said only where it is not the owner alone. */
function deciders({ approvers }: ShownApproval): ApprovalFact[] {
  if (approvers.length === 0) return [];
  return [["may decide", `you, at this machine; ${shown(approvers.join(", "))}`]];
}

function sessionFact({ proposed_grants, terms }: ShownApproval): ApprovalFact {
  const none = "nothing more: this call can only be allowed once";
  const covered = `would also allow ${shown(proposed_grants.join(", "))}`;
  const allowed = terms === "" ? covered : `${covered}: ${shown(terms)}`;
  return ["for the session", proposed_grants.length === 0 ? none : allowed];
}

function endFact({ default_answer, kind }: ShownApproval, left: string): ApprovalFact {
  const standard = kind === "call" ? "denied" : shown(default_answer);
  return ["ends in", `${left}, then counts as ${standard}`];
}

function decidedFact({ state, scope, decided_at, until: end }: ShownApproval): ApprovalFact {
  const at = decided_at === null ? "" : `${moment(decided_at)} UTC: `;
  return ["decided", `${at}${shown(state)}${reachText({ scope, until: end })}`];
}
