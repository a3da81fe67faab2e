import { type ConsolidationProposal, consolidationProposal } from "../../schema/consolidation.ts";

/** Far more than a proposal over one question can have. */
const mostCharacters = 400_000;

/** @returns undefined where the model's answer is no proposal */
export function proposalIn(answer: string): ConsolidationProposal | undefined {
  const [start, end] = [answer.indexOf("{"), answer.lastIndexOf("}")];
  if (start < 0 || end < start || end - start > mostCharacters) return undefined;
  try {
    return consolidationProposal.safeParse(JSON.parse(answer.slice(start, end + 1))).data;
  } catch {
    return undefined;
  }
}
