import { fromPromise, setup } from "xstate";
import type { ExecuteToolInput, ExecuteToolOutput } from "../schema/activities.ts";
import type { ToolCallContext } from "../schema/contexts.ts";
import type { Delivered, EventMeta } from "../schema/event.ts";
import { lookup, send, spawnActor, write } from "./effect-actions.ts";
import {
  askPerson,
  askPolicy,
  cancelApproval,
  concludeCall,
  reportResumed,
} from "./tool-call-effects.ts";
import type { ToolCallEvent, ToolCallInput } from "./tool-call-events.ts";
import {
  asksPerson,
  isAllowed,
  isAnswered,
  isApprovedByPerson,
  isCancelledByPerson,
  isInvalid,
  isOutcomeUnknown,
  isRetryWanted,
  isTakenAsDone,
  wasCompleted,
  wasFailed,
  wasLeftUnknown,
} from "./tool-call-rules.ts";
import {
  rememberApproval,
  rememberDecision,
  rememberStart,
  rememberVerdict,
} from "./tool-call-memory.ts";

/** One tool call of a run: judged, perhaps asked about, executed at most as often as its recovery allows, and always answered. */
export const toolCallMachine = setup({
  types: {} as {
    context: ToolCallContext;
    input: ToolCallInput & { $: EventMeta };
    events: Delivered<ToolCallEvent>;
    tags: "busy" | "approval" | "waiting" | "terminal";
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
    reportResumed,
    concludeCall,
    rememberVerdict,
    rememberApproval,
    rememberDecision,
    rememberStart,
  },
  guards: {
    isAllowed,
    asksPerson,
    isInvalid,
    isApprovedByPerson,
    isAnswered,
    isCancelledByPerson,
    isOutcomeUnknown,
    isRetryWanted,
    isTakenAsDone,
    wasCompleted,
    wasFailed,
    wasLeftUnknown,
  },
  delays: { cancelDeadline: 10_000 },
}).createMachine({
  id: "tool_call",
  version: "1",
  context: ({ input }) => {
    const { $, ...call } = input;
    return {
      ...call,
      verdict: null,
      approval: null,
      decided_by: null,
      granted_by_person: false,
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
          { guard: "isAllowed", target: "executing", actions: "rememberVerdict" },
          { guard: "asksPerson", target: "awaiting_approval", actions: "rememberVerdict" },
          {
            guard: "isInvalid",
            target: "failed",
            actions: ["rememberVerdict", { type: "concludeCall", params: { status: "failed" } }],
          },
          {
            target: "denied",
            actions: ["rememberVerdict", { type: "concludeCall", params: { status: "denied" } }],
          },
        ],
        "call.cancel": {
          target: "cancelled",
          actions: { type: "concludeCall", params: { status: "cancelled" } },
        },
        "actor.failed": {
          target: "failed",
          actions: { type: "concludeCall", params: { status: "failed" } },
        },
      },
      meta: {
        ignores: {
          "approval.decided": "No question was asked yet.",
          "activity.stopped": "Nothing runs yet.",
        },
      },
    },
    awaiting_approval: {
      description: "A person is asked: may it run, or what is the answer?",
      tags: ["approval", "waiting"],
      entry: ["rememberApproval", { type: "askPerson", params: { about: "call" } }],
      on: {
        "approval.decided": [
          { guard: "isApprovedByPerson", target: "executing", actions: "rememberDecision" },
          {
            guard: "isAnswered",
            target: "done",
            actions: ["rememberDecision", { type: "concludeCall", params: { status: "done" } }],
          },
          {
            guard: "isCancelledByPerson",
            target: "cancelled",
            actions: [
              "rememberDecision",
              { type: "concludeCall", params: { status: "cancelled" } },
            ],
          },
          {
            target: "denied",
            actions: ["rememberDecision", { type: "concludeCall", params: { status: "denied" } }],
          },
        ],
        "call.cancel": { actions: "cancelApproval" },
        "actor.failed": {
          target: "failed",
          actions: { type: "concludeCall", params: { status: "failed" } },
        },
      },
      meta: {
        ignores: {
          "verdict.given": "The verdict was given before.",
          "activity.stopped": "Nothing runs yet.",
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
          agent_id: context.agent_id,
          session_address: context.session_address,
          run_id: context.run_id,
          call_id: context.call.id,
          tool: context.call.name,
          input: context.call.input,
          binding: context.verdict?.binding ?? "",
          approved: context.granted_by_person,
        }),
        onDone: { target: "done", actions: { type: "concludeCall", params: { status: "done" } } },
        onError: [
          { guard: "isOutcomeUnknown", target: "outcome_unknown" },
          { target: "failed", actions: { type: "concludeCall", params: { status: "failed" } } },
        ],
      },
      on: {
        "call.cancel": "cancelling",
        "actor.failed": { target: "cancelling" },
      },
      meta: {
        ignores: {
          "verdict.given": "The verdict was given before.",
          "approval.decided": "No question is open.",
          "activity.stopped": "The tool was not stopped.",
        },
      },
    },
    outcome_unknown: {
      description: "Nobody knows whether it took effect; a person says retry, skip or done.",
      tags: ["approval", "waiting"],
      entry: ["rememberApproval", { type: "askPerson", params: { about: "outcome" } }],
      on: {
        "approval.decided": [
          { guard: "isRetryWanted", target: "executing", actions: "rememberDecision" },
          {
            guard: "isTakenAsDone",
            target: "done",
            actions: ["rememberDecision", { type: "concludeCall", params: { status: "done" } }],
          },
          {
            guard: "isCancelledByPerson",
            target: "cancelled",
            actions: [
              "rememberDecision",
              { type: "concludeCall", params: { status: "outcome_unknown" } },
            ],
          },
          {
            target: "failed",
            actions: [
              "rememberDecision",
              { type: "concludeCall", params: { status: "outcome_unknown" } },
            ],
          },
        ],
        "activity.stopped": [
          {
            guard: "wasCompleted",
            target: "done",
            actions: { type: "concludeCall", params: { status: "done" } },
          },
        ],
        "call.cancel": { actions: "cancelApproval" },
        "actor.failed": {
          target: "failed",
          actions: { type: "concludeCall", params: { status: "outcome_unknown" } },
        },
      },
      meta: {
        ignores: {
          "verdict.given": "The verdict was given before.",
          "activity.stopped": "It ended without saying whether it took effect.",
        },
      },
    },
    cancelling: {
      description: "The tool was told to stop; what became of it decides how the call ends.",
      tags: ["busy"],
      on: {
        "activity.stopped": [
          {
            guard: "wasFailed",
            target: "failed",
            actions: { type: "concludeCall", params: { status: "failed" } },
          },
          {
            guard: "wasCompleted",
            target: "done",
            actions: { type: "concludeCall", params: { status: "done" } },
          },
          { guard: "wasLeftUnknown", target: "outcome_unknown" },
          {
            target: "cancelled",
            actions: { type: "concludeCall", params: { status: "cancelled" } },
          },
        ],
      },
      after: { cancelDeadline: "outcome_unknown" },
      meta: {
        ignores: {
          "call.cancel": "It is being cancelled already.",
          "verdict.given": "The call is being cancelled.",
          "approval.decided": "The call is being cancelled.",
          "actor.failed": "The call is being cancelled.",
        },
      },
    },
    done: {
      description: "The tool ran, or a person answered; the model has the result.",
      tags: ["terminal"],
      type: "final",
    },
    denied: {
      description: "The policy or a person did not allow it; the model is told why.",
      tags: ["terminal"],
      type: "final",
    },
    failed: {
      description:
        "The input was wrong, the tool failed, or what it did is not known; the model is told.",
      tags: ["terminal"],
      type: "final",
    },
    cancelled: {
      description: "It was stopped, or never began, because somebody cancelled it.",
      tags: ["terminal"],
      type: "final",
    },
  },
});
