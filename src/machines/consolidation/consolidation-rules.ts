import type {
  ChangeMemoryInput,
  ProposeConsolidationInput,
  SurveyMemoryInput,
} from "../../schema/activities.ts";
import type { ConsolidationPlan } from "../../schema/consolidation.ts";
import type { ConsolidationContext } from "../../schema/contexts/consolidation-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import type { AnyConsolidationEvent, ConsolidationEvent } from "./consolidation-events.ts";

/** The yes/no questions of the consolidation's chart, and what its activities are told. */

const mostTries = 3;

type Of = { readonly context: ConsolidationContext };
type Asked = Of & { readonly event: Delivered<ConsolidationEvent> };

export function hasQuestion({ event }: Asked): boolean {
  const known = event as AnyConsolidationEvent;
  return known.type === "xstate.done.actor.surveyMemory" && known.output.question_tokens !== null;
}

/** What was just planned; where the model did not answer, what the rules had made of it. */
export function changesFiles({ context, event }: Asked): boolean {
  if (context.is_dry_run) return false;
  const plan = plannedBy(event) ?? context.plan;
  return plan !== null && plan.files.length > 0;
}

function plannedBy(event: AnyConsolidationEvent): ConsolidationPlan | undefined {
  return "output" in event && "plan" in event.output ? event.output.plan : undefined;
}

export function mayReadAgain({ context, event }: Asked): boolean {
  const known = event as AnyConsolidationEvent;
  return "error" in known && known.error.code === "memory.changed" && context.tries < mostTries;
}

/** A model was asked; what it said was no proposal, or it declined. */
export function hasNoUsableAnswer({ event }: Pick<Asked, "event">): boolean | undefined {
  const known = event as AnyConsolidationEvent;
  if (known.type === "xstate.done.actor.proposeConsolidation") return !known.output.is_usable;
  return "error" in known && known.error.code === "model.refused" ? true : undefined;
}

/** Some of the files were changed before the one that stood in the way. */
export function isPartlyDone({ event }: Pick<Asked, "event">): boolean {
  const known = event as AnyConsolidationEvent;
  if (!("error" in known)) return false;
  const changed = known.error.details?.["changed"];
  return Array.isArray(changed) && changed.some(isConsolidated);
}

function isConsolidated(changed: unknown): boolean {
  return (changed as { readonly kind?: unknown } | null)?.kind === "consolidate";
}

export function surveyInput({ context }: Of): SurveyMemoryInput {
  const { partition, at, is_by_hand: asks_again } = context;
  return { partition, at, asks_again };
}

/** @throws Error: there is no question, which `hasQuestion` rules out */
export function proposeInput({ context }: Of): ProposeConsolidationInput {
  const { partition, at, question_tokens } = context;
  if (question_tokens === null) throw new Error("there is nothing to ask");
  return { partition, at, question_tokens };
}

export function changeInput({ context: { plan, by } }: Of): ChangeMemoryInput {
  const files = plan?.files ?? [];
  return {
    changes: files.map(({ path, before, after }) => ({
      op: "use",
      path,
      version: after,
      expected: before,
    })),
    kind: "consolidate",
    by,
    reason: "the daily notes were tidied",
    session_id: null,
  };
}
