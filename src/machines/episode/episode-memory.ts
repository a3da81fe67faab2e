import { assign } from "xstate";
import type {
  ChangeMemoryInput,
  SummarizeSessionInput,
  SummarizeSessionOutput,
} from "../../schema/activities.ts";
import type { EpisodeContext } from "../../schema/contexts/episode-context.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import type { EventOf } from "../../schema/events/events.ts";

/** What an episode remembers until it stands in a file. */

export type EpisodeInput = Omit<EpisodeContext, "text" | "error">;
export type EpisodeEvent = EventOf<"episode.begin">;

type Settled =
  | { readonly type: "xstate.done.actor.summarizeSession"; readonly output: SummarizeSessionOutput }
  | {
      readonly type: "xstate.error.actor.summarizeSession" | "xstate.error.actor.changeMemory";
      readonly error: ErrorData;
    };
type Event = Delivered<EpisodeEvent>;
type Known = { readonly context: EpisodeContext; readonly event: EpisodeEvent | Settled };

const remember = (change: (known: Known) => Partial<EpisodeContext>) =>
  assign<EpisodeContext, Event, undefined, Event, never>(change);

export function newEpisode({
  input,
}: {
  readonly input: EpisodeInput & { $: EventMeta };
}): EpisodeContext {
  const { $: _meta, ...episode } = input;
  return { ...episode, text: null, error: null };
}

export const rememberText = remember(({ event }) =>
  event.type === "xstate.done.actor.summarizeSession" ? { text: event.output.text } : {},
);

export const rememberFault = remember(({ event }) =>
  "error" in event ? { error: event.error } : {},
);

export function isWorthKeeping({ event }: { readonly event: { readonly type: string } }): boolean {
  const settled = event as Settled;
  return settled.type === "xstate.done.actor.summarizeSession" && settled.output.text !== null;
}

export function sessionToSummarize({ context }: Pick<Known, "context">): SummarizeSessionInput {
  const { session_id, session_address, agent_id } = context;
  return { session_id, session_address, agent_id };
}

/** Of the day on which the conversation ended. */
export function entryToWrite({ context }: Pick<Known, "context">): ChangeMemoryInput {
  const { session_id, agent_id, partition, at, origins, text } = context;
  const target = { to: "daily" } as const;
  const entries = text === null ? [] : [{ text, origins }];
  return {
    changes: [{ op: "append", partition, target, entries, at }],
    kind: "episode",
    by: `agent:${agent_id}`,
    reason: `the conversation ${session_id} ended without a word in memory`,
    session_id,
  };
}
