import { assign } from "xstate";
import type { ToolCallContext } from "../../schema/contexts/tool-call-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import type { ToolCallEvent } from "./tool-call-events.ts";

/** What a tool call remembers of what it was told. */

type Event = Delivered<ToolCallEvent>;
type Assigned = Partial<ToolCallContext>;

const remember = (change: (args: { context: ToolCallContext; event: Event }) => Assigned) =>
  assign<ToolCallContext, Event, undefined, Event, never>(change);

export const rememberVerdict = remember(({ event }) => {
  if (event.type !== "verdict.given") return {};
  const { type: _type, $: _meta, ...verdict } = event;
  return { verdict };
});

/** The question's id is made from the number of this very step. */
export const rememberQuestion = remember(({ event }) => ({ approval: { id: `a${event.$.seq}` } }));

export const rememberPermission = remember(({ event }) => {
  if (event.type !== "approval.decided") return {};
  const word = event.state === "answered" ? event.answer : event.state;
  return { allowed: { by: event.decided_by, word } };
});

export const rememberStart = remember(({ event }) => ({
  started_at: event.$.at,
  is_outcome_unknown: false,
}));

export const rememberUnknown = remember(() => ({ is_outcome_unknown: true }));
