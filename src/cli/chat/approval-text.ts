import type { ShownApproval } from "../../schema/protocol.ts";
import { barred, shown, shownInput } from "../output/shown.ts";
import type { Style } from "../output/style.ts";
import { facts } from "../output/table.ts";
import { until } from "../output/times.ts";

type Looks = { readonly style: Style; readonly now: number };

/** Everything that a person should know before they decide; nothing of the call is left out. */
export function approvalText(approval: ShownApproval, { style, now }: Looks): string {
  const { id, kind, state, summary } = approval;
  const decided = state === "pending" ? "" : ` (${state} by ${shown(approval.decided_by)})`;
  const title = style.bold(style.yellow(`${titles[kind]} ${shown(id)}${decided}`));
  if (kind === "question") {
    const question = [title, ...barred(summary, "  "), ...options(approval)];
    return [...question, ...answerLines(approval)].join("\n");
  }
  const call = [title, facts(callFacts(approval, now)), "  input", ...inputLines(approval)];
  const choices = kind === "outcome" ? options(approval) : [];
  return [...call, ...choices, ...answerLines(approval)].join("\n");
}

function answerLines({ answer }: ShownApproval): string[] {
  return answer === null || answer === "" ? [] : ["  answer", ...barred(answer, "    ")];
}

const titles: { readonly [kind in ShownApproval["kind"]]: string } = {
  call: "Approval",
  question: "Question",
  outcome: "What became of this call?",
  budget: "A budget is used up",
};

function callFacts(approval: ShownApproval, now: number): [string, string][] {
  const { tool, summary, risk, reason, requested, agent_id, run_id, state, expires_at } = approval;
  return [
    ["tool", `${shown(tool)} (${risk})`],
    ["does", shown(summary)],
    ["asked because", shown(reason)],
    ["needs", shown(requested.join(", "))],
    ["agent, run", `${shown(agent_id)}, ${shown(run_id)}`],
    ...(approval.kind === "call" ? [sessionFact(approval)] : []),
    ...(state === "pending" ? [endFact(approval, until(expires_at, now))] : []),
  ];
}

function sessionFact({ proposed_grants, terms }: ShownApproval): [string, string] {
  const none = "nothing more: this call can only be allowed once";
  const covered = `would also allow ${shown(proposed_grants.join(", "))}`;
  const allowed = terms === "" ? covered : `${covered}: ${shown(terms)}`;
  return ["for the session", proposed_grants.length === 0 ? none : allowed];
}

function endFact({ default_answer, kind }: ShownApproval, left: string): [string, string] {
  const standard = kind === "call" ? "denied" : shown(default_answer);
  return ["ends in", `${left}, then counts as ${standard}`];
}

function inputLines({ input }: ShownApproval): string[] {
  const lines = shownInput(input, "    ");
  return lines.length === 0 ? ["    (none)"] : lines;
}

function options({ options: given }: ShownApproval): string[] {
  return given.map((option, index) => `  ${index + 1}. ${shown(option)}`);
}
