import { canonicalJson, hashOf } from "../../policy/canonical-json.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { type Approval, approvalTable } from "../../schema/rows/permission-rows.ts";

/** The calls of one step that wait for a person, as one whole. */

/** More than this, and nobody reads it all before they say yes. */
export const longestTogether = 20_000;

/** In the order in which the model asked for them. */
export async function callsWaiting(read: CommittedReader, step: string): Promise<Approval[]> {
  const waiting = await read.select(approvalTable, {
    index: "by_step",
    equals: [step, "pending"],
  });
  return waiting
    .filter(({ kind }) => kind === "call")
    .toSorted((one, other) => numberOf(one) - numberOf(other));
}

function numberOf({ approval_id }: Approval): number {
  return Number(approval_id.slice(1));
}

/** Another one, one less, or one that asks something else: another hash. */
export function togetherBinding(calls: readonly Approval[]): string {
  return hashOf(calls.map(({ approval_id, binding }) => ({ approval_id, binding })));
}

/** Characters of what a person would have to read. */
export function lengthTogether(calls: readonly Approval[]): number {
  const texts = calls.flatMap(({ summary, reason, terms, input, requested, proposed_grants }) => [
    summary,
    reason,
    terms,
    canonicalJson(input),
    ...requested,
    ...proposed_grants,
  ]);
  return texts.reduce((length, text) => length + text.length, 0);
}
