import type { Engine } from "../../engine/engine.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { EventData } from "../../schema/event.ts";
import { type Approval, approvalTable } from "../../schema/permission-rows.ts";
import type { Caller, Handlers } from "./caller.ts";
import { iso, showApproval } from "../records/shown.ts";

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
    "approvals.decide": async ({ id, decision, scope, until, reason }, caller) => {
      const approval = await pending(engine, id);
      if (approval.kind !== "call") {
        throw wrongAnswer(
          approval,
          `It takes an answer: ${approval.options.join(", ") || "any text"}.`,
        );
      }
      const why = reason === undefined ? {} : { reason };
      const ends = until === undefined ? {} : { until: Date.parse(until) };
      return answer(
        { engine, approval, caller },
        { type: "approval.decide", decision, scope, by: caller.name, ...why, ...ends },
      );
    },
    "approvals.answer": async ({ id, value }, caller) => {
      const approval = await pending(engine, id);
      if (approval.kind === "call") throw wrongAnswer(approval, "It takes allow or deny.");
      if (approval.kind === "outcome" && !approval.options.includes(value)) {
        throw wrongAnswer(approval, `It takes one of: ${approval.options.join(", ")}.`);
      }
      return answer(
        { engine, approval, caller },
        { type: "approval.answer", value, by: caller.name },
      );
    },
  };
}

async function find(read: CommittedReader, id: string): Promise<Approval> {
  const approval = await read.get(approvalTable, id);
  if (approval !== undefined) return approval;
  throw new AgentError("approval.not_found", `No approval is called ${id}.`, {
    hint: "`statehive approvals list` shows those that wait",
  });
}

async function pending(engine: Engine, id: string): Promise<Approval> {
  const approval = await find(engine.read, id);
  if (approval.state === "pending") return approval;
  throw alreadyDecided(approval);
}

function alreadyDecided({ approval_id, state, decided_by, decided_at }: Approval): AgentError {
  const when = decided_at === null ? "" : ` at ${iso(decided_at)}`;
  return new AgentError(
    "approval.already_decided",
    `${approval_id} was ${state} by ${decided_by ?? "nobody"}${when}.`,
  );
}

function wrongAnswer({ approval_id, kind }: Approval, hint: string): AgentError {
  return new AgentError("approval.wrong_answer", `${approval_id} is a question of kind ${kind}.`, {
    hint,
  });
}

type Answering = { readonly engine: Engine; readonly approval: Approval; readonly caller: Caller };

async function answer({ engine, approval, caller }: Answering, event: EventData) {
  const { outcome, state, reason } = await engine.send(approval.address, event, {
    origin: caller.origin,
  });
  if (outcome === "handled") return { id: approval.approval_id, state };
  const now = await find(engine.read, approval.approval_id);
  if (now.state !== "pending") throw alreadyDecided(now);
  throw new AgentError("approval.wrong_answer", reason ?? "The answer was not accepted.");
}
