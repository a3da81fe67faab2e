import type { ShownApproval } from "../../schema/socket/protocol.ts";
import { answerOf, approvalTitle, askingFacts, callFacts } from "../../text/approval-facts.ts";
import { wrap } from "../../text/text-width.ts";
import { barred, roomBeside, shown, shownInput } from "../../text/shown.ts";
import type { Style } from "../output/style.ts";
import { facts } from "../output/table.ts";

export type Looks = {
  readonly style: Style;
  readonly now: number;
  /** Columns of the terminal, if it is one: what somebody else wrote never begins a line there. */
  readonly width?: number | undefined;
};

/** Everything that a person should know before they decide; nothing of the call is left out. */
export function approvalText(approval: ShownApproval, { style, now, width }: Looks): string {
  const { kind, summary } = approval;
  const title = style.bold(style.yellow(approvalTitle(approval)));
  if (kind === "question") {
    const question = [title, ...barred(summary, "  ", width), ...options(approval, width)];
    return [...question, ...answerLines(approval, width)].join("\n");
  }
  if (kind === "budget") {
    const known = facts(askingFacts(approval, now), width);
    const said = [title, ...barred(summary, "  ", width), known];
    return [...said, ...options(approval, width), ...answerLines(approval, width)].join("\n");
  }
  const known = facts([...callFacts(approval), ...askingFacts(approval, now)], width);
  const call = [title, known, "  input", ...inputLines(approval, width)];
  const choices = kind === "outcome" ? options(approval, width) : [];
  return [...call, ...choices, ...answerLines(approval, width)].join("\n");
}

function answerLines(approval: ShownApproval, width: number | undefined): string[] {
  const answer = answerOf(approval);
  return answer === undefined ? [] : [`  ${answer.name}`, ...barred(answer.text, "    ", width)];
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
