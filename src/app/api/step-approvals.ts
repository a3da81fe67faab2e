import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { AgentError, toErrorData } from "../../schema/errors.ts";
import type { Approval } from "../../schema/rows/permission-rows.ts";
import { stepTable } from "../../schema/rows/run-rows.ts";
import { showApproval } from "../../text/shown-approval.ts";
import {
  callsWaiting,
  lengthTogether,
  longestTogether,
  togetherBinding,
} from "../records/waiting-together.ts";
import { decide, type Deciding, type Decision } from "./approvals.ts";
import type { Handlers } from "./caller.ts";
import type { LateAnswers } from "./late-answers.ts";

/** All calls of one step that wait, shown and decided as a whole. */
export function stepApprovalReads(read: CommittedReader): Handlers<"approvals.step"> {
  return {
    "approvals.step": async ({ step }) => {
      const calls = await callsWaiting(read, step);
      if (calls.length === 0) await refuseUnknown(read, step);
      return {
        step_id: step,
        binding: togetherBinding(calls),
        too_long: lengthTogether(calls) > longestTogether,
        approvals: calls.map(showApproval),
      };
    },
  };
}

export function stepApprovalHandlers(
  engine: Engine,
  clock: Clock,
  late: LateAnswers,
): Handlers<"approvals.decide_step"> {
  return {
    "approvals.decide_step": async ({ step, binding, ...said }, caller) => {
      const calls = await callsWaiting(engine.read, step);
      if (calls.length === 0) await refuseUnknown(engine.read, step);
      if (togetherBinding(calls) !== binding)
        throw await late.refuseStep(step, caller.name, changed(step, calls));
      if (said.decision === "approve") refuseTooLong(step, calls);
      const answers = await Promise.all(
        calls.map((approval) => decideOne({ engine, clock, late, caller, approval }, said)),
      );
      const decided = answers.flatMap((one) => ("state" in one ? [one] : []));
      const failed = answers.flatMap((one) => ("error" in one ? [one] : []));
      return { step_id: step, decided, failed };
    },
  };
}

async function decideOne(deciding: Deciding, said: Decision) {
  const { approval_id: id, binding } = deciding.approval;
  try {
    return await decide(deciding, { ...said, binding });
  } catch (thrown) {
    return { id, error: toErrorData(thrown) };
  }
}

async function refuseUnknown(read: CommittedReader, step: string): Promise<void> {
  if ((await read.get(stepTable, step)) !== undefined) return;
  throw new AgentError("approval.not_found", `No step is called ${step}.`, {
    hint: "`statehive approvals list` shows what waits, with its step",
  });
}

function changed(step: string, calls: readonly Approval[]): AgentError {
  const ids = calls.map(({ approval_id }) => approval_id);
  const now = ids.length === 0 ? "nothing waits any more" : `now wait: ${ids.join(", ")}`;
  return new AgentError(
    "approval.changed",
    `What was shown of ${step} is not what waits: ${now}.`,
    {
      hint: `look again: \`statehive approvals show --step ${step}\`, then decide`,
      details: { approvals: ids },
    },
  );
}

function refuseTooLong(step: string, calls: readonly Approval[]): void {
  const length = lengthTogether(calls);
  if (length <= longestTogether) return;
  throw new AgentError(
    "approval.too_long",
    `The ${calls.length} calls of ${step} have ${length} characters, more than ${longestTogether}: too much to be read at once.`,
    { hint: "decide them one by one, or deny them together" },
  );
}
