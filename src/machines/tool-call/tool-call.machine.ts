import { fromPromise, setup } from "xstate";
import type { ExecuteToolInput, ExecuteToolOutput } from "../../schema/activities.ts";
import type { ToolCallContext } from "../../schema/contexts/tool-call-context.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import { lookup, send, spawnActor, write } from "../effect-actions.ts";
import {
  askPerson,
  askPolicy,
  cancelApproval,
  concludeCall,
  recordLostExecution,
  recordVerdict,
  reportResumed,
} from "./tool-call-effects.ts";
import type { ToolCallEvent, ToolCallInput } from "./tool-call-events.ts";
import { judgedCall } from "./tool-call-judged.ts";
import {
  asksPerson,
  hasCompleted,
  hasFailed,
  hasGivenUp,
  isAllowed,
  isAnswered,
  isApproved,
  isDecided,
  isInvalid,
  isOutcomeUnknown,
  isQuestionLost,
  isQuestionVoid,
  isRefusedAtStart,
  isRetryWanted,
  isTakenAsDone,
} from "./tool-call-rules.ts";
import {
  rememberPermission,
  rememberQuestion,
  rememberStart,
  rememberUnknown,
  rememberVerdict,
} from "./tool-call-memory.ts";

/** One tool call of a run: judged, perhaps asked about, executed at most as often as its recovery allows, and always answered. */
export const toolCallMachine = setup({
  types: {
    context: {} as ToolCallContext,
    input: {} as ToolCallInput & { $: EventMeta },
    events: {} as Delivered<ToolCallEvent>,
    tags: {} as "busy" | "approval" | "waiting" | "terminal",
  },
  actors: {
    executeTool: fromPromise<ExecuteToolOutput, ExecuteToolInput>(() => {
      throw new Error("executeTool is an activity: the engine runs it");
    }),
  },
  actions: {
    send,
    write,
    lookup,
    spawnActor,
    askPolicy,
    askPerson,
    cancelApproval,
    recordVerdict,
    recordLostExecution,
    reportResumed,
    concludeCall,
    rememberVerdict,
    rememberQuestion,
    rememberPermission,
    rememberStart,
    rememberUnknown,
  },
  guards: {
    isAllowed,
    asksPerson,
    isInvalid,
    isApproved,
    isAnswered,
    isDecided,
    isQuestionVoid,
    isQuestionLost,
    isOutcomeUnknown,
    isRefusedAtStart,
    isRetryWanted,
    isTakenAsDone,
    hasCompleted,
    hasFailed,
    hasGivenUp,
  },
  delays: { cancelDeadline: 10_000 },
}).createMachine({
  id: "tool_call",
  version: "2",
  context: ({ input }) => {
    const { $, ...call } = input;
    return {
      ...call,
      verdict: null,
      approval: null,
      allowed: null,
      is_outcome_unknown: false,
      started_at: $.at,
    };
  },
  initial: "checking",
  states: {
    checking: {
      description: "The policy is asked, within the same transaction.",
      tags: ["busy"],
      entry: "askPolicy",
      on: {
        "verdict.given": [
          {
            guard: "isAllowed",
            target: "executing",
            actions: ["rememberVerdict", "recordVerdict"],
          },
          { guard: "asksPerson", target: "awaiting_approval", actions: "rememberVerdict" },
          { guard: "isInvalid", target: "failed", actions: ["rememberVerdict", "recordVerdict"] },
          { target: "denied", actions: ["rememberVerdict", "recordVerdict"] },
        ],
        "call.cancel": "cancelled",
      },
      meta: {
        ignores: {
          "approval.decided": "No question was asked yet.",
          "activity.stopped": "Nothing runs yet.",
          "actor.failed": "No question was asked yet.",
        },
      },
    },
    awaiting_approval: {
      description: "A person is asked: may it run, or what is the answer?",
      tags: ["approval", "waiting"],
      entry: ["rememberQuestion", { type: "askPerson", params: { about: "call" } }],
      on: {
        "approval.decided": [
          { guard: "isApproved", target: "executing", actions: "rememberPermission" },
          { guard: "isAnswered", target: "done" },
          { guard: "isQuestionVoid", target: "cancelled" },
          { guard: "isDecided", target: "denied" },
        ],
        "call.cancel": { actions: "cancelApproval" },
        "actor.failed": { guard: "isQuestionLost", target: "failed" },
      },
      meta: {
        ignores: {
          "verdict.given": "The verdict was given before.",
          "approval.decided": "That is not the question that is open.",
          "activity.stopped": "Nothing runs yet.",
          "actor.failed": "That is not the question that is open.",
        },
      },
    },
    executing: {
      description: "The tool runs, in an activity that was committed before it began.",
      tags: ["busy"],
      entry: ["rememberStart", "reportResumed"],
      invoke: {
        src: "executeTool",
        id: "executeTool",
        input: ({ context }) => ({
          ...judgedCall(context),
          binding: context.verdict?.binding ?? "",
          approved: context.allowed !== null,
        }),
        onDone: "done",
        onError: [
          { guard: "isOutcomeUnknown", target: "outcome_unknown" },
          { guard: "isRefusedAtStart", target: "denied" },
          { target: "failed" },
        ],
      },
      on: { "call.cancel": "cancelling" },
      meta: {
        ignores: {
          "verdict.given": "The verdict was given before.",
          "approval.decided": "No question is open.",
          "activity.stopped": "The tool was not stopped.",
          "actor.failed": "No question is open.",
        },
      },
    },
    outcome_unknown: {
      description: "Nobody knows whether it took effect; a person says retry, skip or done.",
      tags: ["approval", "waiting"],
      entry: [
        "rememberUnknown",
        "rememberQuestion",
        { type: "askPerson", params: { about: "outcome" } },
      ],
      on: {
        "approval.decided": [
          {
            guard: "isRetryWanted",
            target: "executing",
            actions: ["recordLostExecution", "rememberPermission"],
          },
          { guard: "isTakenAsDone", target: "done" },
          { guard: "isQuestionVoid", target: "cancelled" },
          { guard: "isDecided", target: "failed" },
        ],
        "activity.stopped": [
          { guard: "hasFailed", target: "failed" },
          { guard: "hasCompleted", target: "done" },
          { guard: "hasGivenUp", target: "cancelled" },
        ],
        "call.cancel": { actions: "cancelApproval" },
        "actor.failed": { guard: "isQuestionLost", target: "failed" },
      },
      meta: {
        ignores: {
          "verdict.given": "The verdict was given before.",
          "approval.decided": "That is not the question that is open.",
          "activity.stopped": "It ended without saying whether it took effect.",
          "actor.failed": "That is not the question that is open.",
        },
      },
    },
    cancelling: {
      description: "The tool was told to stop; what became of it decides how the call ends.",
      tags: ["busy"],
      on: {
        "activity.stopped": [
          { guard: "hasFailed", target: "failed" },
          { guard: "hasCompleted", target: "done" },
          { guard: "hasGivenUp", target: "cancelled" },
          { target: "outcome_unknown" },
        ],
        "call.cancel": { target: "cancelled", actions: "rememberUnknown" },
      },
      after: { cancelDeadline: "outcome_unknown" },
      meta: {
        ignores: {
          "verdict.given": "The call is being cancelled.",
          "approval.decided": "No question is open.",
          "actor.failed": "No question is open.",
        },
      },
    },
    done: {
      description: "The tool ran, or a person answered; the model has the result.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeCall", params: { end: "done" } },
    },
    denied: {
      description: "The policy or a person did not allow it; the model is told why.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeCall", params: { end: "denied" } },
    },
    failed: {
      description:
        "The input was wrong, the tool failed, or what it did is not known; the model is told.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeCall", params: { end: "failed" } },
    },
    cancelled: {
      description: "It was stopped, or never began, because somebody cancelled it.",
      tags: ["terminal"],
      type: "final",
      entry: { type: "concludeCall", params: { end: "cancelled" } },
    },
  },
});
