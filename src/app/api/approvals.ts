import type { Engine } from "../../engine/engine.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { EventData } from "../../schema/event.ts";
import type { ParsedParams } from "../../schema/protocol.ts";
import { type Approval, approvalTable } from "../../schema/permission-rows.ts";
import { showApproval } from "../records/shown.ts";
import { notApprover, notFound, over, refusedBecause, wrongAnswer } from "./approval-refusals.ts";
import type { Caller, Handlers } from "./caller.ts";

/** Questions to people. */
export function approvalReads(
  read: CommittedReader,
): Handlers<"approvals.list" | "approvals.show"> {
  return {
    "approvals.list": async ({ all, limit }) => {
      const query = all
        ? { index: "key", descending: true, limit }
        : { index: "by_state", equals: ["pending"], limit };
      return (await read.select(approvalTable, query)).map(showApproval);
    },
    "approvals.show": async ({ id }) => showApproval(await find(read, id)),
  };
}

/** Their answers: the first one wins, wherever it comes from. */
export function approvalHandlers(
  engine: Engine,
): Handlers<"approvals.decide" | "approvals.answer"> {
  return {
    "approvals.decide": async ({ id, ...decision }, caller) => {
      const approval = await pending(engine, id, caller);
      if (approval.kind !== "call") {
        throw wrongAnswer(
          approval,
          `It takes an answer: ${approval.options.join(", ") || "any text"}.`,
        );
      }
      return decide({ engine, approval, caller }, decision);
    },
    "approvals.answer": async ({ id, value, binding }, caller) => {
      const approval = await pending(engine, id, caller);
      if (approval.kind === "call") throw wrongAnswer(approval, "It takes allow or deny.");
      if (approval.kind !== "question" && !approval.options.includes(value)) {
        throw wrongAnswer(approval, `It takes one of: ${approval.options.join(", ")}.`);
      }
      const shown = binding === undefined ? {} : { binding };
      return answer(
        { engine, approval, caller },
        { type: "approval.answer", value, by: caller.name, ...shown },
      );
    },
  };
}

export type Answering = {
  readonly engine: Engine;
  readonly approval: Approval;
  readonly caller: Caller;
};
export type Decision = Omit<ParsedParams<"approvals.decide">, "id">;

/** One person's word on one call. @throws AgentError the approval's own no */
export function decide(
  answering: Answering,
  said: Decision,
): Promise<{ id: string; state: string }> {
  const { decision, scope, until, reason, binding } = said;
  return answer(answering, {
    type: "approval.decide",
    decision,
    scope,
    by: answering.caller.name,
    ...(reason === undefined ? {} : { reason }),
    ...(until === undefined ? {} : { until: Date.parse(until) }),
    ...(binding === undefined ? {} : { binding }),
  });
}

async function find(read: CommittedReader, id: string): Promise<Approval> {
  const approval = await read.get(approvalTable, id);
  if (approval === undefined) throw notFound(id);
  return approval;
}

/** One that waits; who may not decide it hears no more of one that waits no more. */
async function pending(engine: Engine, id: string, caller: Caller): Promise<Approval> {
  const approval = await find(engine.read, id);
  if (approval.state === "pending") return approval;
  const isForeign = caller.origin === "channel" && !approval.approvers.includes(caller.name);
  throw isForeign ? notApprover(approval, caller.name) : over(approval);
}

async function answer({ engine, approval, caller }: Answering, event: EventData) {
  const { outcome, state, reason } = await engine.send(approval.address, event, {
    origin: caller.origin,
  });
  if (outcome === "handled") return { id: approval.approval_id, state };
  const now = await find(engine.read, approval.approval_id);
  throw now.state === "pending" ? refusedBecause(now, reason) : over(now);
}
