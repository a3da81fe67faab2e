import { fromPromise, setup } from "xstate";
import type {
  ChangeMemoryInput,
  ChangeMemoryOutput,
  ProposeConsolidationInput,
  ProposeConsolidationOutput,
  SurveyMemoryInput,
  SurveyMemoryOutput,
} from "../../schema/activities.ts";
import type { ConsolidationContext } from "../../schema/contexts/consolidation-context.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import {
  recordAnswer,
  recordConsidered,
  recordIfPartlyDone,
  tellFinished,
} from "./consolidation-effects.ts";
import type { ConsolidationEvent, ConsolidationInput } from "./consolidation-events.ts";
import {
  newConsolidation,
  rememberCancel,
  rememberChange,
  rememberError,
  rememberProposal,
  rememberSurvey,
} from "./consolidation-memory.ts";
import {
  changeInput,
  changesFiles,
  hasQuestion,
  mayReadAgain,
  proposeInput,
  surveyInput,
} from "./consolidation-rules.ts";
import { send, write } from "../effect-actions.ts";

/** Tidies the memory of one partition: what is new in its daily files is promoted, what disagrees is marked, what is stale goes. */
export const consolidationMachine = setup({
  types: {
    context: {} as ConsolidationContext,
    input: {} as ConsolidationInput & { $: EventMeta },
    events: {} as Delivered<ConsolidationEvent>,
    tags: {} as "busy" | "terminal",
  },
  actors: {
    surveyMemory: fromPromise<SurveyMemoryOutput, SurveyMemoryInput>(() => {
      throw new Error("surveyMemory is an activity: the engine runs it");
    }),
    proposeConsolidation: fromPromise<ProposeConsolidationOutput, ProposeConsolidationInput>(() => {
      throw new Error("proposeConsolidation is an activity: the engine runs it");
    }),
    changeMemory: fromPromise<ChangeMemoryOutput, ChangeMemoryInput>(() => {
      throw new Error("changeMemory is an activity: the engine runs it");
    }),
  },
  actions: {
    send,
    write,
    rememberSurvey,
    rememberProposal,
    rememberChange,
    rememberError,
    rememberCancel,
    recordAnswer,
    recordConsidered,
    recordIfPartlyDone,
    tellFinished,
  },
  guards: { hasQuestion, changesFiles, mayReadAgain },
}).createMachine({
  id: "consolidation",
  version: "1",
  context: newConsolidation,
  initial: "collecting",
  states: {
    collecting: {
      description:
        "The files are read: what is new since the last time, and what the rules alone would change.",
      tags: ["busy"],
      invoke: {
        src: "surveyMemory",
        id: "surveyMemory",
        input: surveyInput,
        onDone: [
          { guard: "hasQuestion", target: "proposing", actions: "rememberSurvey" },
          { guard: "changesFiles", target: "applying", actions: "rememberSurvey" },
          { target: "done", actions: "rememberSurvey" },
        ],
        onError: { target: "failed", actions: "rememberError" },
      },
      on: { "consolidation.cancel": { target: "failed", actions: "rememberCancel" } },
    },
    proposing: {
      description:
        "The agent's model is asked what to keep for good; without an answer the rules alone decide.",
      tags: ["busy"],
      invoke: {
        src: "proposeConsolidation",
        id: "proposeConsolidation",
        input: proposeInput,
        onDone: [
          {
            guard: "changesFiles",
            target: "applying",
            actions: ["rememberProposal", "recordAnswer"],
          },
          { target: "done", actions: ["rememberProposal", "recordAnswer"] },
        ],
        onError: [
          {
            guard: "changesFiles",
            target: "applying",
            actions: ["rememberError", "recordAnswer"],
          },
          { target: "done", actions: ["rememberError", "recordAnswer"] },
        ],
      },
      on: { "consolidation.cancel": { target: "failed", actions: "rememberCancel" } },
    },
    applying: {
      description:
        "The files are replaced, each whole; one that was edited meanwhile is left, and all are read again.",
      tags: ["busy"],
      invoke: {
        src: "changeMemory",
        id: "changeMemory",
        input: changeInput,
        onDone: { target: "done", actions: "rememberChange" },
        onError: [
          { guard: "mayReadAgain", target: "collecting", actions: "recordIfPartlyDone" },
          { target: "failed", actions: ["recordIfPartlyDone", "rememberError"] },
        ],
      },
      meta: { ignores: { "consolidation.cancel": "The files are being changed." } },
    },
    done: {
      description: "The memory is tidied; each change of a file can be undone.",
      tags: ["terminal"],
      type: "final",
      entry: ["recordConsidered", { type: "tellFinished", params: { outcome: "done" } }],
    },
    failed: {
      description: "The files could not be read or changed, or somebody cancelled it.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "tellFinished", params: { outcome: "failed" } },
    },
  },
});
