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

/** What would be done, if it is about a call; cleaned for one line each. */
export function callFacts({ kind, tool, summary, risk }: ShownApproval): ApprovalFact[] {
  if (kind !== "call" && kind !== "outcome") return [];
  return [
    ["tool", `${shown(tool)} (${risk})`],
    ["does", shown(summary)],
  ];
}

/** Why it is asked, for whom, and what comes of it; cleaned for one line each. */
export function askingFacts(approval: ShownApproval, now: number): ApprovalFact[] {
  const { kind, reason, requested, state, expires_at } = approval;
  const isCall = kind === "call" || kind === "outcome";
  return [
    ...(kind === "question" ? [] : [["asked because", shown(reason)] as const]),
    ...(isCall ? [["needs", shown(requested.join(", "))] as const] : []),
    ["agent, run", whence(approval)],
    ...deciders(approval),
    ...(kind === "call" && state === "pending" ? [sessionFact(approval)] : []),
    state === "pending" ? endFact(approval, until(expires_at, now)) : decidedFact(approval),
  ];
}

/** What a person has said to it. */
export function answerOf({ state, answer }: ShownApproval) {
  if (answer === null || answer === "") return undefined;
  const isWhy = state === "approved" || state === "denied";
  return { name: isWhy ? "their reason" : "answer", text: answer };
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
  const counts = kind === "question" ? `the answer is: ${standard}` : `counts as ${standard}`;
  return ["ends in", `${left}, then ${counts}`];
}

function decidedFact({ state, scope, decided_at, until: end }: ShownApproval): ApprovalFact {
  const at = decided_at === null ? "" : `${moment(decided_at)} UTC: `;
  return ["decided", `${at}${shown(state)}${reachText({ scope, until: end })}`];
}
