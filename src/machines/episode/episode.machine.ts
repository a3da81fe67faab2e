import { fromPromise, setup } from "xstate";
import type {
  ChangeMemoryInput,
  ChangeMemoryOutput,
  SummarizeSessionInput,
  SummarizeSessionOutput,
} from "../../schema/activities.ts";
import type { EpisodeContext } from "../../schema/contexts/episode-context.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import {
  entryToWrite,
  type EpisodeEvent,
  type EpisodeInput,
  isWorthKeeping,
  newEpisode,
  rememberFault,
  rememberText,
  sessionToSummarize,
} from "./episode-memory.ts";

/** The short account of a conversation that ended without having written to memory, on its way into the daily file. */
export const episodeMachine = setup({
  types: {
    context: {} as EpisodeContext,
    input: {} as EpisodeInput & { $: EventMeta },
    events: {} as Delivered<EpisodeEvent>,
    tags: {} as "busy" | "waiting" | "terminal",
  },
  actors: {
    summarizeSession: fromPromise<SummarizeSessionOutput, SummarizeSessionInput>(() => {
      throw new Error("summarizeSession is an activity: the engine runs it");
    }),
    changeMemory: fromPromise<ChangeMemoryOutput, ChangeMemoryInput>(() => {
      throw new Error("changeMemory is an activity: the engine runs it");
    }),
  },
  actions: { rememberText, rememberFault },
  guards: { isWorthKeeping },
}).createMachine({
  id: "episode",
  version: "1",
  context: newEpisode,
  initial: "due",
  states: {
    due: {
      description: "The conversation has just ended.",
      tags: ["waiting"],
      on: { "episode.begin": "summarizing" },
    },
    summarizing: {
      description: "The agent's model tells in a few lines what is worth knowing next time.",
      tags: ["busy"],
      invoke: {
        src: "summarizeSession",
        id: "summarizeSession",
        input: sessionToSummarize,
        onDone: [
          { guard: "isWorthKeeping", target: "writing", actions: "rememberText" },
          { target: "done" },
        ],
        onError: { target: "failed", actions: "rememberFault" },
      },
      meta: { ignores: { "episode.begin": "It has begun." } },
    },
    writing: {
      description: "The lines go into the daily file.",
      tags: ["busy"],
      invoke: {
        src: "changeMemory",
        id: "changeMemory",
        input: entryToWrite,
        onDone: "done",
        onError: { target: "failed", actions: "rememberFault" },
      },
      meta: { ignores: { "episode.begin": "It has begun." } },
    },
    done: {
      description: "The account stands in memory, or there was nothing worth keeping.",
      tags: ["terminal"],
      type: "final",
    },
    failed: {
      description: "No account was written; what was said can still be searched.",
      tags: ["terminal"],
      type: "final",
    },
  },
});
