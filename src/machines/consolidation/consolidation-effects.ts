import {
  type ConsideredRow,
  consideredTable,
  unansweredTable,
} from "../../schema/rows/consolidation-rows.ts";
import type { ConsolidationContext } from "../../schema/contexts/consolidation-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import { consolidationWords } from "./consolidation-words.ts";
import type { ConsolidationEvent } from "./consolidation-events.ts";
import { type EffectAction, effects, putRow, removeRow, toParent } from "../effect-actions.ts";
import { hasNoUsableAnswer, isPartlyDone } from "./consolidation-rules.ts";

type Event = Delivered<ConsolidationEvent>;

/** What was looked at is not looked at again; after a dry run it is. */
export const recordConsidered = effects<ConsolidationContext, Event>(({ context }) =>
  considered(context),
);

/** Entries that were promoted before another file stood in the way are not promoted once more. */
export const recordIfPartlyDone = effects<ConsolidationContext, Event>(({ context, event }) =>
  isPartlyDone({ event }) ? considered(context) : [],
);

function considered({ partition, plan, is_dry_run }: ConsolidationContext): EffectAction[] {
  if (is_dry_run || plan === null) return [];
  return plan.considered.map(({ path, entries }) => {
    const row: ConsideredRow = { path, partition, entries };
    return entries.length === 0 ? removeRow(consideredTable, path) : putRow(consideredTable, row);
  });
}

/** What got no usable answer is not asked again by itself. */
export const recordAnswer = effects<ConsolidationContext, Event>(({ context, event }) => {
  const { partition, question_mark, is_dry_run } = context;
  const isUnanswered = hasNoUsableAnswer({ event });
  if (is_dry_run || question_mark === null || isUnanswered === undefined) return [];
  return [
    isUnanswered
      ? putRow(unansweredTable, { partition, question_mark })
      : removeRow(unansweredTable, partition),
  ];
});

export const tellFinished = effects<
  ConsolidationContext,
  Event,
  { readonly outcome: "done" | "failed" }
>(({ context }, { outcome }) => {
  const { partition, is_changed, is_by_hand } = context;
  if (is_by_hand) return [];
  const ended = is_changed ? "changed" : "unchanged";
  return [
    toParent({
      type: "consolidation.finished",
      partition,
      outcome: outcome === "failed" ? "failed" : ended,
      detail: consolidationWords(context),
    }),
  ];
});
