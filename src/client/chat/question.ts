import { type GrantScope, grantScopes } from "../../schema/rows/permission-rows.ts";
import type { ParamsOf } from "../../schema/socket/protocol.ts";
import type { ShownApproval } from "../../schema/socket/protocol.ts";

const denial =
  /^(?:d|deny)(?: for (?:this|the) (step|run|task|session)\b)?(?:$|[\s,:]+(\S.*)?$)/isu;

/** What a typed line means as the answer to an open approval. */
export type Answered =
  | { readonly method: "approvals.decide"; readonly params: ParamsOf<"approvals.decide"> }
  | { readonly method: "approvals.answer"; readonly params: ParamsOf<"approvals.answer"> };

/** @param others calls of the same step that wait too */
export function questionPrompt(approval: ShownApproval, others = 0): string {
  if (approval.kind === "call") {
    const session = offersSession(approval) ? " / [s]ession" : "";
    const together = others === 0 ? "" : ` / [t]ogether with ${others} more`;
    return `[o]nce${session} / [d]eny [reason]${together}: `;
  }
  if (approval.kind !== "question") return `${approval.options.join(" / ")}: `;
  return approval.options.length === 0 ? "answer: " : "number or text: ";
}

/** Undefined for what is no answer: it is asked again. */
export function readAnswer(approval: ShownApproval, line: string): Answered | undefined {
  const { id, kind, options } = approval;
  const said = line.trim();
  if (kind === "call") return readDecision(approval, said);
  const chosen = /^\d+$/.test(said) ? options[Number(said) - 1] : undefined;
  const value = chosen ?? (kind === "question" ? said : wordIn(options, said.toLowerCase()));
  if (value === undefined || value === "") return undefined;
  return { method: "approvals.answer", params: { id, value } };
}

/** How far it reaches may be said by word; a denial may go on with its reason: "d use another file", "deny for the run: not here". */
function readDecision(approval: ShownApproval, line: string): Answered | undefined {
  const { id } = approval;
  const method = "approvals.decide";
  const said = line.toLowerCase();
  const denied = denial.exec(line);
  if (denied !== null) {
    const [, word, reason] = denied;
    const why = reason === undefined ? {} : { reason };
    const far = word === undefined ? {} : { scope: word.toLowerCase() as GrantScope };
    return { method, params: { id, decision: "deny", ...far, ...why } };
  }
  if (["o", "once"].includes(said)) {
    return { method, params: { id, decision: "approve", scope: "once" } };
  }
  const scope = grantScopes.find((word) => word === (said === "s" ? "session" : said));
  if (scope !== undefined && offersSession(approval)) {
    return { method, params: { id, decision: "approve", scope } };
  }
  return undefined;
}

/** A whole option, or the one that begins with what was said. */
function wordIn(options: readonly string[], said: string): string | undefined {
  if (said === "") return undefined;
  const matching = options.filter((option) => option.startsWith(said));
  return matching.length === 1 ? matching[0] : undefined;
}

function offersSession({ proposed_grants }: ShownApproval): boolean {
  return proposed_grants.length > 0;
}
