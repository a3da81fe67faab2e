import { fromPromise, setup } from "xstate";
import type { CallModelInput, CallModelOutput } from "../../schema/activities.ts";
import type { RunContext } from "../../schema/contexts/run-context.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import type { RunEvent, RunInput } from "./run-events.ts";
import { newRun } from "./run-memory.ts";
import { timeLeftMs } from "./run-rules.ts";
import { runActions, runGuards } from "./run-setup.ts";

/** One execution of a task by one agent: thinks, calls tools, waits for people, and always ends with a word to its session. */
export const runMachine = setup({
  types: {
    context: {} as RunContext,
    input: {} as RunInput & { $: EventMeta },
    events: {} as Delivered<RunEvent>,
    tags: {} as "busy" | "approval" | "waiting" | "terminal",
  },
  actors: {
    callModel: fromPromise<CallModelOutput, CallModelInput>(() => {
      throw new Error("callModel is an activity: the engine runs it");
    }),
  },
  actions: runActions,
  guards: runGuards,
  delays: { runDeadline: timeLeftMs, cancelDeadline: 5_000 },
}).createMachine({
  id: "run",
  version: "3",
  context: newRun,
  entry: "openRun",
  initial: "idle",
  states: {
    idle: {
      description: "Created; waits for one of the service's slots.",
      tags: ["waiting"],
      entry: "claimSlot",
      on: {
        "slot.granted": { target: "thinking", actions: ["takeSlot", "pinConfig", "beginDeadline"] },
        "run.cancel": "cancelled",
        "run.stop_after_step": { target: "cancelled", actions: "rememberStop" },
        "run.steered": { actions: "countSteered" },
      },
      meta: {
        ignores: {
          "inbox.handed": "No model was asked yet.",
          "call.changed": "No call is open.",
          "approval.decided": "No budget is asked about.",
          "activity.stopped": "Nothing runs.",
          "actor.failed": "No call is open.",
        },
      },
    },
    thinking: {
      description: "The model is asked what to do next.",
      tags: ["busy"],
      entry: ["takeSteered", "countRound", "openStep"],
      invoke: {
        src: "callModel",
        id: "callModel",
        input: ({ context }) => ({
          session_id: context.session_id,
          agent_id: context.agent_id,
          run_id: context.run_id,
          round: context.round,
        }),
        onDone: [
          { guard: "isRefusal", target: "failed", actions: ["rememberUsage", "rememberFailure"] },
          {
            guard: "isOverToolRounds",
            target: "failed",
            actions: ["rememberUsage", "rememberFailure"],
          },
          {
            guard: "repeatsItself",
            target: "failed",
            actions: ["rememberUsage", "rememberFailure"],
          },
          {
            guard: "hasToolCalls",
            target: "awaiting_tool",
            actions: ["rememberUsage", "rememberCalls", "recordAnswer", "openCalls"],
          },
          {
            guard: "isSteeredOn",
            target: "thinking",
            reenter: true,
            actions: [
              "rememberUsage",
              "rememberAnswer",
              "recordAnswer",
              "closeStep",
              "rememberEarlierAnswer",
            ],
          },
          { target: "done", actions: ["rememberUsage", "rememberAnswer", "recordAnswer"] },
        ],
        onError: [
          {
            guard: "canShorten",
            target: "thinking",
            reenter: true,
            actions: ["rememberShorterHistory", "shortenHistory"],
          },
          { guard: "stopsInsteadOfAsking", target: "cancelled" },
          { guard: "isOverBudget", target: "paused_budget", actions: "rememberOverBudget" },
          { target: "failed", actions: "rememberFailure" },
        ],
      },
      on: {
        "inbox.handed": { actions: "recordSteered" },
        "run.steered": { actions: "countSteered" },
        "run.stop_after_step": { actions: "rememberStop" },
        "run.cancel": "cancelling",
      },
      after: { runDeadline: { target: "failed", actions: "rememberDeadline" } },
      meta: {
        ignores: {
          "slot.granted": "The run has its slot.",
          "approval.decided": "No budget is asked about.",
          "call.changed": "No call is open.",
          "activity.stopped": "The model was not stopped.",
          "actor.failed": "No call is open.",
        },
      },
    },
    awaiting_tool: {
      description: "At least one tool call is being judged or executed.",
      tags: ["busy"],
      on: {
        "call.changed": [
          { guard: "stopsAfterRound", target: "cancelled", actions: "rememberCall" },
          { guard: "endsTheRound", target: "thinking", actions: ["rememberCall", "closeStep"] },
          { guard: "stopsInsteadOfWaiting", target: "cancelling", actions: "rememberCall" },
          { guard: "waitsForUser", target: "awaiting_user", actions: "rememberCall" },
          { guard: "waitsForApproval", target: "awaiting_approval", actions: "rememberCall" },
          { actions: "rememberCall" },
        ],
        "actor.failed": { guard: "isFailureOfOpenCall", actions: "settleFailedCall" },
        "run.steered": { actions: "countSteered" },
        "run.stop_after_step": { actions: "rememberStop" },
        "run.cancel": "cancelling",
      },
      after: { runDeadline: { target: "cancelling", actions: "rememberDeadline" } },
      meta: {
        ignores: {
          "slot.granted": "The run has its slot.",
          "approval.decided": "No budget is asked about.",
          "inbox.handed": "The model is not asked now.",
          "activity.stopped": "The model was not stopped.",
          "actor.failed": "That is no open call of this run.",
        },
      },
    },
    awaiting_approval: {
      description:
        "Every unfinished call waits for a person's yes or no; the slot is free, the deadline stands still.",
      tags: ["approval", "waiting"],
      entry: ["pauseDeadline", "releaseSlot"],
      exit: ["takeSlot", "resumeDeadline"],
      on: {
        "call.changed": [
          { guard: "endsTheRound", target: "thinking", actions: ["rememberCall", "closeStep"] },
          { guard: "waitsForApproval", actions: "rememberCall" },
          { target: "awaiting_tool", actions: "rememberCall" },
        ],
        "actor.failed": { guard: "isFailureOfOpenCall", actions: "settleFailedCall" },
        "run.steered": { actions: "countSteered" },
        "run.stop_after_step": { target: "cancelling", actions: "rememberStop" },
        "run.cancel": "cancelling",
      },
      meta: {
        ignores: {
          "slot.granted": "The run waits for a person, not for a slot.",
          "inbox.handed": "The model is not asked now.",
          "approval.decided": "No budget is asked about.",
          "activity.stopped": "The model was not stopped.",
          "actor.failed": "That is no open call of this run.",
        },
      },
    },
    awaiting_user: {
      description:
        "A question to a person is open and nothing executes; the slot is free, the deadline stands still.",
      tags: ["waiting"],
      entry: ["pauseDeadline", "releaseSlot"],
      exit: ["takeSlot", "resumeDeadline"],
      on: {
        "call.changed": [
          { guard: "endsTheRound", target: "thinking", actions: ["rememberCall", "closeStep"] },
          { guard: "waitsForUser", actions: "rememberCall" },
          { guard: "waitsForApproval", target: "awaiting_approval", actions: "rememberCall" },
          { target: "awaiting_tool", actions: "rememberCall" },
        ],
        "actor.failed": { guard: "isFailureOfOpenCall", actions: "settleFailedCall" },
        "run.steered": { actions: "countSteered" },
        "run.stop_after_step": { target: "cancelling", actions: "rememberStop" },
        "run.cancel": "cancelling",
      },
      meta: {
        ignores: {
          "slot.granted": "The run waits for a person, not for a slot.",
          "inbox.handed": "The model is not asked now.",
          "approval.decided": "No budget is asked about.",
          "activity.stopped": "The model was not stopped.",
          "actor.failed": "That is no open call of this run.",
        },
      },
    },
    paused_budget: {
      description:
        "A budget has no room for the next model call, and a person is asked; the slot is free, the deadline stands still.",
      tags: ["approval", "waiting"],
      entry: ["pauseDeadline", "releaseSlot", "askForBudget"],
      exit: ["takeSlot", "resumeDeadline"],
      on: {
        "approval.decided": [
          { guard: "isMoreAllowed", target: "thinking", actions: ["allowMore", "rememberPause"] },
          { guard: "isBudgetDecided", target: "failed", actions: "rememberBudgetEnd" },
        ],
        "actor.failed": {
          guard: "isBudgetQuestionLost",
          target: "failed",
          actions: "rememberBudgetEnd",
        },
        "run.steered": { actions: "countSteered" },
        "run.stop_after_step": { target: "cancelling", actions: "rememberStop" },
        "run.cancel": "cancelling",
      },
      meta: {
        ignores: {
          "slot.granted": "The run waits for a person, not for a slot.",
          "inbox.handed": "The model is not asked now.",
          "call.changed": "No call is open.",
          "activity.stopped": "The model was not stopped.",
          "approval.decided": "That is not the question that is open.",
          "actor.failed": "That is not the question that is open.",
        },
      },
    },
    cancelling: {
      description:
        "What runs was told to stop; the run ends when all of it has, and needs no slot until then.",
      tags: ["busy"],
      entry: ["releaseSlot", "cancelCalls", "cancelBudgetQuestion"],
      on: {
        "call.changed": [
          { guard: "isFailureSettled", target: "failed", actions: "rememberCall" },
          { guard: "endsTheRound", target: "cancelled", actions: "rememberCall" },
          { actions: "rememberCall" },
        ],
        "activity.stopped": {
          guard: "hasNoOpenCalls",
          target: "cancelled",
          actions: "rememberUsage",
        },
        "approval.decided": { guard: "isBudgetDecided", target: "cancelled" },
        "actor.failed": { guard: "isFailureOfOpenCall", actions: "settleFailedCall" },
        "run.cancel": { actions: "cancelCalls" },
      },
      after: { cancelDeadline: { guard: "hasNoOpenCalls", target: "cancelled" } },
      meta: {
        ignores: {
          "slot.granted": "The run is being cancelled.",
          "inbox.handed": "The run is being cancelled.",
          "run.steered": "The run is being cancelled; the message has its turn after it.",
          "run.stop_after_step": "The run is being cancelled.",
          "approval.decided": "No budget is asked about.",
          "activity.stopped": "Tool calls are still open.",
          "actor.failed": "That is no open call of this run.",
        },
      },
    },
    done: {
      description: "The model has answered.",
      tags: ["terminal"],
      type: "final",
      entry: ["closeStep", { type: "closeRun", params: { state: "done" } }],
    },
    failed: {
      description: "The run could not go on; the reply says why.",
      tags: ["terminal"],
      type: "final",
      entry: ["recordFailure", "closeStep", { type: "closeRun", params: { state: "failed" } }],
    },
    cancelled: {
      description: "Somebody stopped the run.",
      tags: ["terminal"],
      type: "final",
      entry: ["recordStop", "closeStep", { type: "closeRun", params: { state: "cancelled" } }],
    },
  },
});
