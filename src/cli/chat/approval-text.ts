import type { ShownApproval } from "../../schema/protocol.ts";
import { wrap } from "../../text/text-width.ts";
import { barred, roomBeside, shown, shownInput } from "../output/shown.ts";
import type { Style } from "../output/style.ts";
import { facts } from "../output/table.ts";
import { moment, until } from "../../text/times.ts";
import { reachText } from "./decision-text.ts";

export type Looks = {
  readonly style: Style;
  readonly now: number;
  /** Columns of the terminal, if it is one: what somebody else wrote never begins a line there. */
  readonly width?: number | undefined;
};

/** Everything that a person should know before they decide; nothing of the call is left out. */
export function approvalText(approval: ShownApproval, { style, now, width }: Looks): string {
  const { id, kind, state, summary } = approval;
  const decided = state === "pending" ? "" : ` (${state} by ${shown(approval.decided_by)})`;
  const title = style.bold(style.yellow(`${titles[kind]} ${shown(id)}${decided}`));
  if (kind === "question") {
    const question = [title, ...barred(summary, "  ", width), ...options(approval, width)];
    return [...question, ...answerLines(approval, width)].join("\n");
  }
  if (kind === "budget") {
    const said = [title, ...barred(summary, "  ", width), facts(budgetFacts(approval, now), width)];
    return [...said, ...options(approval, width), ...answerLines(approval, width)].join("\n");
  }
  const known = facts(callFacts(approval, now), width);
  const call = [title, known, "  input", ...inputLines(approval, width)];
  const choices = kind === "outcome" ? options(approval, width) : [];
  return [...call, ...choices, ...answerLines(approval, width)].join("\n");
}

function answerLines({ state, answer }: ShownApproval, width: number | undefined): string[] {
  if (answer === null || answer === "") return [];
  const isWhy = state === "approved" || state === "denied";
  return [isWhy ? "  their reason" : "  answer", ...barred(answer, "    ", width)];
}

const titles: { readonly [kind in ShownApproval["kind"]]: string } = {
  call: "Approval",
  question: "Question",
  outcome: "What became of this call?",
  budget: "A budget has no room left",
};

function budgetFacts(approval: ShownApproval, now: number): [string, string][] {
  const { reason, state, expires_at } = approval;
  return [
    ["asked because", shown(reason)],
    ["agent, run", whence(approval)],
    ...deciders(approval),
    state === "pending" ? endFact(approval, until(expires_at, now)) : decidedFact(approval),
  ];
}

function callFacts(approval: ShownApproval, now: number): [string, string][] {
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
function deciders({ approvers }: ShownApproval): [string, string][] {
  if (approvers.length === 0) return [];
  return [["may decide", `you, at this machine; ${shown(approvers.join(", "))}`]];
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

function decidedFact({ state, scope, decided_at, until: end }: ShownApproval): [string, string] {
  const at = decided_at === null ? "" : `${moment(decided_at)} UTC: `;
  return ["decided", `${at}${shown(state)}${reachText({ scope, until: end })}`];
}

function inputLines({ input }: ShownApproval, width: number | undefined): string[] {
  const lines = shownInput(input, "    ", width);
  return lines.length === 0 ? ["    (none)"] : lines;
}

function options({ options: given }: ShownApproval, width: number | undefined): string[] {
  return given.flatMap((option, index) => {
    const number = `  ${index + 1}. `;
    if (width === undefined) return [`${number}${shown(option)}`];
    const [first = "", ...rest] = wrap(shown(option), roomBeside(number, width));
    return [`${number}${first}`, ...rest.map((more) => `   | ${more}`)];
  });
}
