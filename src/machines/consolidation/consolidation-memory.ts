import { assign } from "xstate";
import type { ConsolidationContext } from "../../schema/contexts/consolidation-context.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import type {
  AnyConsolidationEvent,
  ConsolidationEvent,
  ConsolidationInput,
} from "./consolidation-events.ts";

/** What a consolidation remembers: what it plans, and why the model had no say in it. */

type Event = Delivered<ConsolidationEvent>;
type Known = {
  readonly context: ConsolidationContext;
  readonly event: Delivered<AnyConsolidationEvent>;
};

const remember = (change: (known: Known) => Partial<ConsolidationContext>) =>
  assign<ConsolidationContext, Event, undefined, Event, never>(change);

export function newConsolidation({
  input,
}: {
  readonly input: ConsolidationInput & { $: EventMeta };
}): ConsolidationContext {
  const { partition, by, is_dry_run = false, is_by_hand = false, $ } = input;
  return {
    partition,
    by,
    is_dry_run,
    is_by_hand,
    at: $.at,
    tries: 0,
    plan: null,
    question_tokens: null,
    question_mark: null,
    model: null,
    is_changed: false,
    error: null,
  };
}

export const rememberSurvey = remember(({ context, event }) => {
  if (event.type !== "xstate.done.actor.surveyMemory") return {};
  const tries = context.tries + 1;
  return { ...event.output, tries, model: null, error: null };
});

export const rememberProposal = remember(({ event }) => {
  if (event.type !== "xstate.done.actor.proposeConsolidation") return {};
  const { plan, model } = event.output;
  return { plan, model };
});

export const rememberError = remember(({ event }) =>
  "error" in event ? { error: event.error } : {},
);

export const rememberChange = remember(() => ({ is_changed: true }));

export const rememberCancel = remember(() => ({
  error: {
    code: "activity.aborted",
    message: "Somebody cancelled it.",
    retryable: false,
  },
}));
