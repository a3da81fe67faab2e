import type { ParamsOf, Results, ShownApproval } from "../../schema/socket/protocol.ts";
import { shown } from "../../text/shown.ts";
import { reachText } from "../../text/decision-text.ts";

/** The calls of one step that are decided as a whole, once each of them was shown whole. */
export type Together = Results["approvals.step"];

export type DecidedTogether = {
  readonly method: "approvals.decide_step";
  readonly params: ParamsOf<"approvals.decide_step">;
};

export function isWantedTogether(line: string): boolean {
  return /^t(?:ogether)?$/i.test(line.trim());
}

export function isWantedAlone(line: string): boolean {
  return /^b(?:ack)?$/i.test(line.trim());
}

export function togetherPrompt({ approvals }: Together): string {
  const count = approvals.length;
  return `[a]ll ${count} once / [d]eny all ${count} [reason] / [b]ack: `;
}

/** Undefined for what is no answer. A denial may go on with its reason. */
export function readTogether(
  { step_id: step, binding }: Together,
  line: string,
): DecidedTogether | undefined {
  const method = "approvals.decide_step";
  const said = line.trim();
  if (/^a(?:ll)?$/i.test(said)) {
    return { method, params: { step, binding, decision: "approve" } };
  }
  const denied = /^(?:d|deny)(?: all)?(?:$|[\s,:]+(\S.*)$)/isu.exec(said);
  if (denied === null) return undefined;
  const [, reason] = denied;
  const why = reason === undefined ? {} : { reason };
  return { method, params: { step, binding, decision: "deny", ...why } };
}

export function decidedText({ decided, failed }: Results["approvals.decide_step"]): string[] {
  const words = [...new Set(decided.map(wordOf))];
  return [
    ...words.map((word) => `${idsOf(decided.filter((one) => wordOf(one) === word))} ${word}`),
    ...failed.map(({ id, error }) => `${shown(id)} is not decided: ${shown(error.message)}`),
  ];
}

type Decided = Results["approvals.decide_step"]["decided"][number];

function wordOf(one: Decided): string {
  return `${shown(one.state)}${reachText(one)}`;
}

function idsOf(decided: readonly Decided[]): string {
  const ids = decided.map(({ id }) => shown(id));
  return `${ids.join(", ")} ${ids.length === 1 ? "is" : "are"}`;
}

/** Whether exactly these calls wait in the chat, as they were shown. */
export function isStillWhole({ approvals, step_id }: Together, open: readonly ShownApproval[]) {
  const waiting = callsOf(open, step_id);
  return (
    waiting.length === approvals.length &&
    approvals.every(({ id, binding }) =>
      waiting.some((one) => one.id === id && one.binding === binding),
    )
  );
}

export function callsOf(open: readonly ShownApproval[], step: string): readonly ShownApproval[] {
  return open.filter(({ kind, step_id }) => kind === "call" && step_id === step && step !== "");
}
