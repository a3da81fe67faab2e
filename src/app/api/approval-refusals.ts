import { AgentError } from "../../schema/errors.ts";
import type { Approval } from "../../schema/rows/permission-rows.ts";
import { iso } from "../records/shown.ts";

/** Why an answer to an approval does not count, each with its own code, and what to do. */

export function notFound(id: string): AgentError {
  return new AgentError("approval.not_found", `No approval is called ${id}.`, {
    hint: "`statehive approvals list` shows those that wait",
  });
}

export function wrongAnswer({ approval_id, kind }: Approval, hint: string): AgentError {
  return new AgentError("approval.wrong_answer", `${approval_id} is a question of kind ${kind}.`, {
    hint,
  });
}

/** For one that waits no more: somebody was first, or nobody answered while it waited. */
export function over(approval: Approval): AgentError {
  switch (approval.state) {
    case "expired":
      return new AgentError("approval.ended", expiredText(approval), {
        hint: "ask the agent again; `limits.approval_timeout_ms` of the agent is how long questions wait",
      });
    case "cancelled":
      return new AgentError("approval.ended", cancelledText(approval), {
        hint: "nothing is left to decide; ask the agent again if you still want it",
      });
    default:
      return new AgentError("approval.already_decided", decidedText(approval), {
        hint: `the first answer counts; \`statehive approvals show ${approval.approval_id}\` has the whole of it`,
      });
  }
}

function expiredText({ approval_id, expires_at, kind, default_answer }: Approval): string {
  const standard = kind === "call" ? "it counts as denied" : `its default holds: ${default_answer}`;
  return `${approval_id} ended at its deadline, ${iso(expires_at)}: nobody had answered, so ${standard}.`;
}

function cancelledText({ approval_id, decided_at, kind, answer }: Approval): string {
  const why = answer === null || answer === "" ? "" : `: ${answer}`;
  const effect = kind === "call" ? " It did not run." : "";
  return `${approval_id} was cancelled${at(decided_at)}${why}.${effect}`;
}

function decidedText({ approval_id, state, scope, decided_by, decided_at }: Approval): string {
  const reach =
    scope === null || scope === "once" || state !== "approved" ? "" : ` for the ${scope}`;
  return `${approval_id} was ${state}${reach} by ${decided_by ?? "nobody"}${at(decided_at)}.`;
}

function at(time: number | null): string {
  return time === null ? "" : ` at ${iso(time)}`;
}

export function notApprover({ approval_id }: Approval, name: string): AgentError {
  return refused("approval.not_approver", approval_id, `${name} may not decide ${approval_id}.`);
}

const hints = {
  "approval.changed": "look again: `statehive approvals show ID`, then decide",
  "approval.ended": "ask the agent again",
  "approval.not_approver": "the owner decides it, or one of the connector's `approvers`",
} as const;

type Refusal = keyof typeof hints;

function refused(code: Refusal, id: string, message: string): AgentError {
  return new AgentError(code, message, { hint: hints[code].replace("ID", id) });
}

/** The approval's own no. @param reason `code: text`, as machines refuse */
export function refusedBecause({ approval_id }: Approval, reason = ""): AgentError {
  const [, code = "", text = ""] = /^(approval\.[a-z_]+): (.*)$/s.exec(reason) ?? [];
  if (Object.hasOwn(hints, code)) return refused(code as Refusal, approval_id, text);
  return new AgentError("approval.wrong_answer", reason || "The answer was not accepted.");
}
