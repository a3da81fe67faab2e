import type { ShownApproval } from "../schema/socket/protocol.ts";
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

/** Why it is asked, for whom, and what comes of it, read now at this machine; cleaned for one line each. */
export function askingFacts(approval: ShownApproval, now: number): ApprovalFact[] {
  const ends = [
    "ends in",
    `${until(approval.expires_at, now)}, then ${standard(approval)}`,
  ] as const;
  return factsFor({ owner: "you, at this machine", ends }, approval);
}

/** The same where it stays as it was written, and others than the owner read it. */
export function postedFacts(approval: ShownApproval): ApprovalFact[] {
  const ends = ["ends", `${moment(approval.expires_at)} UTC, then ${standard(approval)}`] as const;
  return factsFor({ owner: "the owner, at the machine", ends }, approval);
}

type Reader = { readonly owner: string; readonly ends: ApprovalFact };

function factsFor({ owner, ends }: Reader, approval: ShownApproval): ApprovalFact[] {
  const { kind, reason, requested, state } = approval;
  const isCall = kind === "call" || kind === "outcome";
  return [
    ...(kind === "question" ? [] : [["asked because", shown(reason)] as const]),
    ...(isCall ? [["needs", shown(requested.join(", "))] as const] : []),
    ["agent, run", whence(approval)],
    ...deciders(approval, owner),
    ...(kind === "call" && state === "pending" ? [sessionFact(approval)] : []),
    state === "pending" ? ends : decidedFact(approval),
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
function deciders({ approvers }: ShownApproval, owner: string): ApprovalFact[] {
  if (approvers.length === 0) return [];
  return [["may decide", `${owner}; ${shown(approvers.join(", "))}`]];
}

function sessionFact({ proposed_grants, terms }: ShownApproval): ApprovalFact {
  const none = "nothing more: this call can only be allowed once";
  const covered = `would also allow ${shown(proposed_grants.join(", "))}`;
  const allowed = terms === "" ? covered : `${covered}: ${shown(terms)}`;
  return ["for the session", proposed_grants.length === 0 ? none : allowed];
}

/** What holds if nobody answers. */
function standard({ default_answer, kind }: ShownApproval): string {
  const answer = kind === "call" ? "denied" : shown(default_answer);
  return kind === "question" ? `the answer is: ${answer}` : `counts as ${answer}`;
}

function decidedFact({ state, scope, decided_at, until: end }: ShownApproval): ApprovalFact {
  const at = decided_at === null ? "" : `${moment(decided_at)} UTC: `;
  return ["decided", `${at}${shown(state)}${reachText({ scope, until: end })}`];
}
