import { assign } from "xstate";
import { allowedMore } from "../../policy/budget.ts";
import { budgetQuestion, stoppedByBudget } from "../../policy/budget-words.ts";
import { hashOf } from "../../policy/canonical-json.ts";
import { budgetAllowanceTable } from "../../schema/rows/budget-rows.ts";
import { type BudgetRefusal, budgetRefusal } from "../../schema/budget.ts";
import type { RunContext } from "../../schema/contexts/run-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import type { EventOf } from "../../schema/events/events.ts";
import { stepTable } from "../../schema/rows/run-rows.ts";
import type { ApprovalInput } from "../approval/approval-events.ts";
import { effects, patchRow, putRow, sendTo, spawn } from "../effect-actions.ts";
import { stepId } from "./run-effects.ts";
import type { AnyRunEvent, RunEvent } from "./run-events.ts";
import { failed } from "./run-memory.ts";

/** A run that found a budget used up: what it asks, and what becomes of the answer. */

type Event = Delivered<RunEvent>;
type Asked = { readonly context: RunContext; readonly event: { readonly type: string } };

function refusalIn({ event }: Asked): BudgetRefusal | undefined {
  const said = event as AnyRunEvent;
  if (said.type !== "xstate.error.actor.callModel" || said.error.code !== "budget.exceeded")
    return undefined;
  const refused = budgetRefusal.safeParse(said.error.details);
  return refused.success ? refused.data : undefined;
}

export function isOverBudget(asked: Asked): boolean {
  return refusalIn(asked) !== undefined;
}

/** Somebody asked it to stop after this step: nobody is asked whether it may go on. */
export function stopsInsteadOfAsking(asked: Asked): boolean {
  return asked.context.is_stopping && isOverBudget(asked);
}

/** An answer counts only for the question that is open now. */
function decisionIn({ context, event }: Asked): EventOf<"approval.decided"> | undefined {
  const said = event as AnyRunEvent;
  if (said.type !== "approval.decided") return undefined;
  return said.approval_id === context.paused.question?.id ? said : undefined;
}

export function isBudgetDecided(asked: Asked): boolean {
  return decisionIn(asked) !== undefined;
}

export function isMoreAllowed(asked: Asked): boolean {
  const decision = decisionIn(asked);
  return decision?.state === "answered" && decision.answer === goOn;
}

/** The address of whoever failed is that of the question that is open now. */
export function isBudgetQuestionLost({ context, event }: Asked): boolean {
  const said = event as AnyRunEvent;
  const { question } = context.paused;
  if (said.type !== "actor.failed" || question === null) return false;
  return said.address.endsWith(`/${childOf(question.id)}`);
}

const goOn = "continue";
const stop = "stop";

function childOf(id: string): string {
  return `approval/${id}`;
}

const remember = (change: (known: { context: RunContext; event: Event }) => Partial<RunContext>) =>
  assign<RunContext, Event, undefined, Event, never>(change);

/** The question's id is made from the number of this very step. */
export const rememberOverBudget = remember(({ context, event }) => {
  const refused = refusalIn({ context, event });
  if (refused === undefined) return {};
  return { paused: { ...context.paused, question: { id: `a${event.$.seq}`, ...refused } } };
});

/** The round asked no model: the next one does it again, and counts in its place. */
export const rememberPause = remember(({ context }) => ({
  paused: { times: context.paused.times + 1, question: null },
}));

export const rememberBudgetEnd = remember(({ context, event }) => {
  const { question } = context.paused;
  if (question === null) return {};
  const message = stoppedByBudget(question.over, whyStopped({ context, event }));
  return failed({ code: "budget.exceeded", message, retryable: false });
});

function whyStopped(asked: Asked): string {
  const decision = decisionIn(asked);
  if (decision?.state === "answered") return `${decision.decided_by} said stop.`;
  if (decision?.state === "expired") return "Nobody answered in time.";
  return "The question was lost.";
}

export const askForBudget = effects<RunContext, Event>(({ context }) => {
  const { question } = context.paused;
  return question === null
    ? []
    : [spawn(childOf(question.id), "approval", questionAbout(context, question))];
});

type Question = NonNullable<RunContext["paused"]["question"]>;

function questionAbout(context: RunContext, { id, over, approvers }: Question): ApprovalInput {
  const { session_id, session_address, agent_id, task_id, run_id, trace_id, limits } = context;
  const lineage = { session_id, session_address, agent_id, task_id, run_id, trace_id };
  return {
    ...lineage,
    ...budgetQuestion(over),
    step_id: stepId(context),
    approval_id: id,
    kind: "budget",
    tool: "budget",
    tool_call_id: "",
    input: over,
    binding: hashOf({ run_id, over }),
    risk: "guarded",
    requested: [],
    proposed_grants: [],
    pin: null,
    terms: "",
    accepted: [],
    approvers,
    options: [goOn, stop],
    default_answer: stop,
    timeout_ms: limits.approval_timeout_ms,
  };
}

export const cancelBudgetQuestion = effects<RunContext, Event>(({ context }) => {
  const { question } = context.paused;
  return question === null
    ? []
    : [sendTo(`./${childOf(question.id)}`, { type: "approval.cancel", reason: "the run ends" })];
});

/** How far it reaches is filled in as the row is written: from what is used and held then. */
export const allowMore = effects<RunContext, Event>(({ context, event }) => {
  const decision = decisionIn({ context, event });
  const { question } = context.paused;
  if (decision === undefined || question === null) return [];
  const { over } = question;
  const isUnpriced = over.kind === "unpriced";
  return [
    putRow(budgetAllowanceTable, {
      total: isUnpriced ? `run/${context.run_id}` : over.total,
      kind: over.kind,
      up_to: 0,
      more: isUnpriced ? 1 : allowedMore(over),
      approval_id: question.id,
      given_by: decision.decided_by,
      given_at: event.$.at,
    }),
    patchRow(stepTable, [stepId(context)], { action: "pause", ended_at: event.$.at }),
  ];
});
