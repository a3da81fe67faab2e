import type { RiskClass } from "../schema/tool.ts";
import type { Verdict } from "./verdict.ts";

const strictness = { run: 0, ask: 1, deny: 2 } as const;
/** Lowest first. */
export const riskClasses: readonly RiskClass[] = ["safe", "guarded", "unsafe"];

const asPinned = "as the agent was configured when the run began";
const asLive = "as the agent is configured now";

/** What holds for a call when the agent's configuration changed after its run began: the stricter of both verdicts, and never
 *  more than either gives. Where one of them decided alone, the reason says which. */
export function stricter(pinned: Verdict, live: Verdict): Verdict {
  const difference = strictness[pinned.verdict] - strictness[live.verdict];
  if (difference > 0) return decidedBy(pinned, asPinned);
  if (difference < 0) return decidedBy(live, asLive);
  return {
    ...moreCautious(pinned, live),
    granted: pinned.granted.filter((capability) => live.granted.includes(capability)),
    proposed_grants: bothProposals(pinned, live),
  };
}

function decidedBy(verdict: Verdict, source: string): Verdict {
  return { ...verdict, reason: `${verdict.reason.replace(/\.$/, "")}, ${source}.` };
}

/** The one whose class is the higher, and so its reason too. */
function moreCautious(pinned: Verdict, live: Verdict): Verdict {
  const difference = riskClasses.indexOf(pinned.risk) - riskClasses.indexOf(live.risk);
  if (difference > 0) return decidedBy(pinned, asPinned);
  return difference < 0 ? decidedBy(live, asLive) : pinned;
}

/** A grant helps only if it is all that is missing on both sides. */
function bothProposals(one: Verdict, other: Verdict): readonly string[] {
  if (one.proposed_grants.length === 0 || other.proposed_grants.length === 0) return [];
  return [...new Set([...one.proposed_grants, ...other.proposed_grants])];
}
