import type { Button } from "../../../schema/outbound.ts";
import type { Approval } from "../../../schema/rows/permission-rows.ts";
import { shorten, shown } from "../../../text/shown.ts";

/** The buttons of a question, and what comes back when one is tapped. */

const bindingCharacters = 16;
const longestLabel = 60;
/** More are answered in writing. */
export const mostChoices = 8;

/** @param isWhole what is decided can be read on the card; else only what is safe anyway is offered */
export function buttonsOf(approval: Approval, isWhole: boolean): readonly (readonly Button[])[] {
  switch (approval.kind) {
    case "call":
      return callButtons(approval, isWhole);
    case "question":
      return isWhole && approval.options.length <= mostChoices
        ? numbered(approval.options).map((label, index) => [
            { label, data: dataOf(`${index}`, approval) },
          ])
        : [];
    case "outcome":
    case "budget":
      return approval.options.flatMap((option, index) =>
        isWhole || option === approval.default_answer
          ? [[{ label: words[option] ?? shown(option), data: dataOf(`${index}`, approval) }]]
          : [],
      );
  }
}

function callButtons(approval: Approval, isWhole: boolean): readonly (readonly Button[])[] {
  const button = (label: string, answer: string) => ({ label, data: dataOf(answer, approval) });
  const deny = [button("Deny", "d")];
  if (!isWhole) return [deny];
  const session = approval.proposed_grants.length === 0 ? [] : [button("For this session", "s")];
  return [[button("Allow once", "o"), ...session], deny];
}

const words: { readonly [option: string]: string } = {
  retry: "Retry: run it again",
  skip: "Skip: go on without it",
  done: "Done: it took effect",
  continue: "Continue",
  stop: "Stop",
};

/** With their numbers, so that none can look like a button of ours. */
function numbered(options: readonly string[]): string[] {
  return options.map((option, index) => shorten(`${index + 1}. ${shown(option)}`, longestLabel));
}

/** Whether all that an option says stands on its button. */
export function isOnButton(option: string): boolean {
  return shown(option).length <= longestLabel - "10. ".length;
}

/** What is answered, to which question, as it was shown. */
function dataOf(answer: string, { approval_id, binding }: Approval): string {
  return `${answer}:${approval_id}:${shownBinding(binding)}`;
}

export function shownBinding(binding: string): string {
  return binding.slice(0, bindingCharacters);
}

export type TapData = {
  /** `o` once, `s` session, `d` deny, or the place of an option. */
  readonly answer: string;
  readonly approvalId: string;
  /** The beginning of the binding of what was shown. */
  readonly binding: string;
};

const dataForm = /^([osd]|\d{1,2}):([A-Za-z0-9_-]{1,32}):([0-9a-f]{16})$/;

/** @returns undefined for what no question's button holds */
export function readTapData(data: string): TapData | undefined {
  const [, answer, approvalId, binding] = dataForm.exec(data) ?? [];
  if (answer === undefined || approvalId === undefined || binding === undefined) return undefined;
  return { answer, approvalId, binding };
}
