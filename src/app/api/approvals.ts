import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { EventData } from "../../schema/events/event.ts";
import type { ParsedParams, Results } from "../../schema/socket/protocol.ts";
import { type Approval, approvalTable } from "../../schema/rows/permission-rows.ts";
import { showApproval } from "../../text/shown-approval.ts";
import { isoOrNull } from "../records/shown.ts";
import { listApprovals } from "../records/list-approvals.ts";
import { endOf, refuseUnfit } from "./approval-reach.ts";
import { notApprover, notFound, over, refusedBecause, wrongAnswer } from "./approval-refusals.ts";
import type { Caller, Handlers } from "./caller.ts";
import type { LateAnswers } from "./late-answers.ts";

/** Questions to people. */
export function approvalReads(
  read: CommittedReader,
): Handlers<"approvals.list" | "approvals.show"> {
  return {
    "approvals.list": async (filter) => (await listApprovals(read, filter)).map(showApproval),
    "approvals.show": async ({ id }) => showApproval(await find(read, id)),
  };
}

/** Their answers: the first one wins, wherever it comes from. */
export function approvalHandlers(
  engine: Engine,
  clock: Clock,
  late: LateAnswers,
): Handlers<"approvals.decide" | "approvals.answer"> {
  return {
    "approvals.decide": async ({ id, ...decision }, caller) => {
      const approval = await pending({ engine, late, caller }, id);
      if (approval.kind !== "call") {
        throw wrongAnswer(
          approval,
          `It takes an answer: ${approval.options.join(", ") || "any text"}.`,
        );
      }
      return decide({ engine, clock, late, approval, caller }, decision);
    },
    "approvals.answer": async ({ id, value, binding }, caller) => {
      const approval = await pending({ engine, late, caller }, id);
      if (approval.kind === "call") throw wrongAnswer(approval, "It takes allow or deny.");
      if (approval.kind !== "question" && !approval.options.includes(value)) {
        throw wrongAnswer(approval, `It takes one of: ${approval.options.join(", ")}.`);
      }
      const shown = binding === undefined ? {} : { binding };
      return answer(
        { engine, late, approval, caller },
        { type: "approval.answer", value, by: caller.name, ...shown },
      );
    },
  };
}

type Asking = { readonly engine: Engine; readonly late: LateAnswers; readonly caller: Caller };
type Answering = Asking & { readonly approval: Approval };
export type Deciding = Answering & { readonly clock: Clock };
export type Decision = Omit<ParsedParams<"approvals.decide">, "id">;

/** One person's word on one call. @returns how far it really reaches  @throws AgentError the approval's own no, usage */
export async function decide(
  deciding: Deciding,
  said: Decision,
): Promise<Results["approvals.decide"]> {
  const { engine, clock, approval, caller } = deciding;
  const { decision, scope, until, grants, reason, binding } = said;
  if (grants !== undefined) refuseUnfit(approval, grants);
  const { id, state } = await answer(deciding, {
    type: "approval.decide",
    decision,
    scope,
    by: caller.name,
    ...(reason === undefined ? {} : { reason }),
    ...(until === undefined ? {} : { until: endOf(until, scope, clock.now()) }),
    ...(grants === undefined ? {} : { grants }),
    ...(binding === undefined ? {} : { binding }),
  });
  const decided = await find(engine.read, id);
  return { id, state, scope: decided.scope, until: isoOrNull(decided.until) };
}

async function find(read: CommittedReader, id: string): Promise<Approval> {
  const approval = await read.get(approvalTable, id);
  if (approval === undefined) throw notFound(id);
  return approval;
}

/** One that waits; who may not decide it hears no more of one that waits no more. */
async function pending({ engine, late, caller }: Asking, id: string): Promise<Approval> {
  const approval = await find(engine.read, id);
  if (approval.state === "pending") return approval;
  const isForeign = caller.origin === "channel" && !approval.approvers.includes(caller.name);
  const error = isForeign ? notApprover(approval, caller.name) : over(approval);
  throw await late.refuse(approval, caller.name, error);
}

async function answer({ engine, late, approval, caller }: Answering, event: EventData) {
  const { outcome, state, reason } = await engine.send(approval.address, event, {
    origin: caller.origin,
  });
  if (outcome === "handled") return { id: approval.approval_id, state };
  const now = await find(engine.read, approval.approval_id);
  if (now.state === "pending") throw refusedBecause(now, reason);
  throw await late.refuse(now, caller.name, over(now));
}
