import { assign } from "xstate";
import { userOrigin } from "../../policy/origins.ts";
import type {
  ChangeMemoryInput,
  SummarizeHistoryInput,
  SummarizeHistoryOutput,
} from "../../schema/activities.ts";
import type { SessionContext } from "../../schema/contexts/session-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import { historyCutTable } from "../../schema/rows/model-rows.ts";
import { positionOf } from "../../schema/position.ts";
import { ask, effects, putRow, tell } from "../effect-actions.ts";
import { endedRun } from "./session-effects.ts";
import type { AnySessionEvent, SessionEvent } from "./session-events.ts";

/** How a session shortens its conversation between two runs: summed up part by part, facts to memory first, or only cut. */

type Event = Delivered<SessionEvent>;
type Known = { readonly context: SessionContext; readonly event: Event };
type Asked = { readonly context: SessionContext; readonly event: SessionEvent };

/** A conversation whose parts do not become fewer is summed up no further at once. */
const mostParts = 12;

export const askForCompaction = effects<SessionContext, Event>(({ context, event }) => {
  const { session_id, agent_id } = context;
  return [ask("compactionDue", { session_id, agent_id, run_id: endedRun(event) })];
});

export function isToSummarize({ event }: Asked): boolean {
  return event.type === "compaction.due" && event.tokens !== undefined;
}

const remember = (change: (known: Known) => Partial<SessionContext>) =>
  assign<SessionContext, Event, undefined, Event, never>(change);

export const rememberCompaction = remember(({ event }) => {
  if (event.type !== "compaction.due") return {};
  const { from_position, kept, reason, tokens = 0 } = event;
  const cut = { from_position, kept };
  return { compaction: { cut, reason, tokens, parts: 0, summarized: null } };
});

export const rememberSummary = remember(({ context: { compaction }, event }) => {
  const output = summaryIn(event);
  if (compaction === null || output === undefined) return {};
  const { summary, facts, partition, until } = output;
  const summarized = { summary, facts: [...facts], partition, until, at: event.$.at };
  return { compaction: { ...compaction, parts: compaction.parts + 1, summarized } };
});

export const forgetCompaction = remember(() => ({ compaction: null }));

function summaryIn(event: SessionEvent): SummarizeHistoryOutput | undefined {
  const said = event as AnySessionEvent;
  return said.type === "xstate.done.actor.summarizeHistory" ? said.output : undefined;
}

/** What was summed up last: said by this very event, or remembered. */
function summarizedLast({ context, event }: Asked) {
  return summaryIn(event) ?? context.compaction?.summarized ?? undefined;
}

export function hasFacts(asked: Asked): boolean {
  const { facts = [], partition = null } = summarizedLast(asked) ?? {};
  return facts.length > 0 && partition !== null;
}

/** A part was summed up, and more is left. */
export function hasMoreParts(asked: Asked): boolean {
  const { compaction } = asked.context;
  const last = summarizedLast(asked);
  if (compaction === null || last === undefined) return false;
  const parts = compaction.parts + (summaryIn(asked.event) === undefined ? 0 : 1);
  return last.until < compaction.cut.from_position && parts < mostParts;
}

export function hasQueued({ context }: Asked): boolean {
  return context.queued > 0;
}

/** With the transition that goes on from it: until then the conversation is what it was. */
export const recordSummary = effects<SessionContext, Event>(({ context, event }) => {
  const { compaction, session_id } = context;
  const last = compaction?.summarized;
  if (compaction === null || last === null || last === undefined) return [];
  return [
    putRow(historyCutTable, {
      session_id,
      ...compaction.cut,
      made_at_position: positionOf(event.$.seq),
      summary: last.summary,
      summary_until: last.until,
    }),
    tell({ type: "history.compacted", session_id, how: "summarized" }),
  ];
});

/** Nothing is summed up: the oldest messages are left out, and an earlier summary stays what it was. Where only a person asked, there
 *  is room for them still. */
export const leaveOut = effects<SessionContext, Event>(({ context, event }) => {
  const { session_id, compaction } = context;
  if (compaction?.reason === "asked" && compaction.parts === 0) return [];
  const cut = event.type === "compaction.due" ? event : compaction?.cut;
  if (cut === undefined) return [];
  const { from_position, kept } = cut;
  return [
    putRow(historyCutTable, {
      session_id,
      from_position,
      kept,
      made_at_position: positionOf(event.$.seq),
      summary: null,
      summary_until: 0,
    }),
    tell({ type: "history.compacted", session_id, how: "left_out" }),
  ];
});

export function historyToSummarize({ context }: Pick<Known, "context">): SummarizeHistoryInput {
  const { session_id, address, agent_id, compaction } = context;
  return {
    session_id,
    session_address: address,
    agent_id,
    until: compaction?.cut.from_position ?? 0,
    tokens: compaction?.tokens ?? 0,
  };
}

/** Facts come from where the conversation does. */
export function factsToRemember({ context }: Pick<Known, "context">): ChangeMemoryInput {
  const { address, agent_id, session_id, trust, compaction } = context;
  const { facts = [], partition = null, at = 0 } = compaction?.summarized ?? {};
  const origins = [userOrigin(address), ...trust.untrusted];
  const entries = facts.map((text) => ({ text, origins }));
  const target = { to: "daily" } as const;
  return {
    changes: partition === null ? [] : [{ op: "append", partition, target, entries, at }],
    kind: "flush",
    by: `agent:${agent_id}`,
    reason: `before the conversation ${session_id} was summarised`,
    session_id,
  };
}
