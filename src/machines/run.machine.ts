import { fromPromise, setup } from "xstate";
import type { CallModelInput, CallModelOutput } from "../schema/activities.ts";
import type { RunContext } from "../schema/contexts.ts";
import type { Delivered, EventMeta } from "../schema/event.ts";
import { lookup, send, spawnActor, write } from "./effect-actions.ts";
import {
  cancelCalls,
  claimSlot,
  closeRun,
  closeStep,
  openCalls,
  openRun,
  openStep,
  recordFailure,
  recordReply,
  releaseSlot,
  retakeSlot,
} from "./run-effects.ts";
import type { RunEvent, RunInput } from "./run-events.ts";
import {
  countRound,
  pauseDeadline,
  rememberCall,
  rememberCalls,
  rememberDeadline,
  rememberFailure,
  rememberReply,
  rememberUsage,
  resumeDeadline,
} from "./run-memory.ts";
import {
  endsTheRound,
  hasNoOpenCalls,
  hasToolCalls,
  isLastOpenCall,
  isLastOpenCallOfFailure,
  isOverToolRounds,
  repeatsItself,
  waitsForApproval,
  waitsForUser,
} from "./run-rules.ts";

/** One execution of a task by one agent: thinks, calls tools, waits for people, and always ends with a word to its session. */
export const runMachine = setup({
  types: {} as {
    context: RunContext;
    input: RunInput & { $: EventMeta };
    events: Delivered<RunEvent>;
    tags: "busy" | "approval" | "waiting" | "terminal";
  },
  actors: {
    callModel: fromPromise<CallModelOutput, CallModelInput>(() => {
      throw new Error("callModel is an activity: the engine runs it");
    }),
  },
  actions: {
    send,
    write,
    lookup,
    spawnActor,
    openRun,
    closeRun,
    claimSlot,
    releaseSlot,
    retakeSlot,
    openStep,
    closeStep,
    openCalls,
    cancelCalls,
    recordReply,
    recordFailure,
    countRound,
    rememberCall,
    rememberCalls,
    rememberUsage,
    rememberReply,
    rememberFailure,
    rememberDeadline,
    pauseDeadline,
    resumeDeadline,
  },
  guards: {
    hasToolCalls,
    isOverToolRounds,
    repeatsItself,
    endsTheRound,
    waitsForUser,
    waitsForApproval,
    isLastOpenCall,
    isLastOpenCallOfFailure,
    hasNoOpenCalls,
  },
  delays: {
    runDeadline: ({ context, event }) =>
      Math.max(
        0,
        context.remaining_ms - ((event as Delivered<RunEvent>).$.at - (context.active_since ?? 0)),
      ),
    cancelDeadline: 5_000,
  },
}).createMachine({
  id: "run",
  version: "1",
  context: ({ input }) => {
    const { $: _meta, text: _text, boundary: _boundary, ...run } = input;
    return {
      ...run,
      round: 0,
      calls: [],
      usage: { input_tokens: 0, output_tokens: 0 },
      remaining_ms: run.limits.run_timeout_ms,
      active_since: null,
      repeated: { hash: "", times: 0 },
      ending: "cancelled",
      error: null,
      reply: null,
    };
  },
  entry: "openRun",
  initial: "idle",
  states: {
    idle: {
      description: "Created; waits for one of the service's slots.",
      tags: ["waiting"],
      entry: "claimSlot",
      on: {
        "slot.granted": { target: "thinking", actions: ["retakeSlot", "resumeDeadline"] },
        "run.cancel": "cancelled",
      },
      meta: {
        ignores: {
          "call.changed": "No call is open.",
          "activity.stopped": "Nothing runs.",
          "actor.failed": "The run has no children yet.",
        },
      },
    },
    thinking: {
      description: "The model is asked what to do next.",
      tags: ["busy"],
      entry: ["countRound", "openStep"],
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
          {
            guard: "isOverToolRounds",
            target: "failed",
            actions: ["rememberUsage", "rememberFailure", "recordFailure"],
          },
          {
            guard: "repeatsItself",
            target: "failed",
            actions: ["rememberUsage", "rememberFailure", "recordFailure"],
          },
          {
            guard: "hasToolCalls",
            target: "awaiting_tool",
            actions: ["rememberUsage", "rememberCalls", "recordReply", "openCalls"],
          },
          { target: "done", actions: ["rememberUsage", "rememberReply", "recordReply"] },
        ],
        onError: { target: "failed", actions: ["rememberFailure", "recordFailure"] },
      },
      on: { "run.cancel": "cancelling" },
      after: { runDeadline: { target: "failed", actions: ["rememberDeadline", "recordFailure"] } },
      meta: {
        ignores: {
          "slot.granted": "The run has its slot.",
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
          { guard: "endsTheRound", target: "thinking", actions: ["rememberCall", "closeStep"] },
          {
            guard: "waitsForUser",
            target: "awaiting_user",
            actions: ["rememberCall", "pauseDeadline", "releaseSlot"],
          },
          {
            guard: "waitsForApproval",
            target: "awaiting_approval",
            actions: ["rememberCall", "pauseDeadline", "releaseSlot"],
          },
          { actions: "rememberCall" },
        ],
        "actor.failed": [
          { guard: "endsTheRound", target: "thinking", actions: ["rememberCall", "closeStep"] },
          {
            guard: "waitsForUser",
            target: "awaiting_user",
            actions: ["rememberCall", "pauseDeadline", "releaseSlot"],
          },
          {
            guard: "waitsForApproval",
            target: "awaiting_approval",
            actions: ["rememberCall", "pauseDeadline", "releaseSlot"],
          },
          { actions: "rememberCall" },
        ],
        "run.cancel": "cancelling",
      },
      after: { runDeadline: { target: "cancelling", actions: "rememberDeadline" } },
      meta: {
        ignores: {
          "slot.granted": "The run has its slot.",
          "activity.stopped": "The model was not stopped.",
        },
      },
    },
    awaiting_approval: {
      description:
        "Every unfinished call waits for a person's yes or no; the slot is free, the deadline stands still.",
      tags: ["approval", "waiting"],
      on: {
        "call.changed": [
          {
            guard: "endsTheRound",
            target: "thinking",
            actions: ["rememberCall", "closeStep", "retakeSlot", "resumeDeadline"],
          },
          { guard: "waitsForUser", target: "awaiting_user", actions: "rememberCall" },
          { guard: "waitsForApproval", actions: "rememberCall" },
          { target: "awaiting_tool", actions: ["rememberCall", "retakeSlot", "resumeDeadline"] },
        ],
        "actor.failed": [
          {
            guard: "endsTheRound",
            target: "thinking",
            actions: ["rememberCall", "closeStep", "retakeSlot", "resumeDeadline"],
          },
          { actions: "rememberCall" },
        ],
        "run.cancel": { target: "cancelling", actions: ["retakeSlot", "resumeDeadline"] },
      },
      meta: {
        ignores: {
          "slot.granted": "The run waits for a person, not for a slot.",
          "activity.stopped": "The model was not stopped.",
        },
      },
    },
    awaiting_user: {
      description:
        "A question to a person is open and nothing executes; the slot is free, the deadline stands still.",
      tags: ["waiting"],
      on: {
        "call.changed": [
          {
            guard: "endsTheRound",
            target: "thinking",
            actions: ["rememberCall", "closeStep", "retakeSlot", "resumeDeadline"],
          },
          { guard: "waitsForUser", actions: "rememberCall" },
          { guard: "waitsForApproval", target: "awaiting_approval", actions: "rememberCall" },
          { target: "awaiting_tool", actions: ["rememberCall", "retakeSlot", "resumeDeadline"] },
        ],
        "actor.failed": [
          {
            guard: "endsTheRound",
            target: "thinking",
            actions: ["rememberCall", "closeStep", "retakeSlot", "resumeDeadline"],
          },
          { actions: "rememberCall" },
        ],
        "run.cancel": { target: "cancelling", actions: ["retakeSlot", "resumeDeadline"] },
      },
      meta: {
        ignores: {
          "slot.granted": "The run waits for a person, not for a slot.",
          "activity.stopped": "The model was not stopped.",
        },
      },
    },
    cancelling: {
      description: "What runs was told to stop; the run ends when all of it has.",
      tags: ["busy"],
      entry: "cancelCalls",
      on: {
        "activity.stopped": [{ guard: "hasNoOpenCalls", target: "cancelled" }],
        "call.changed": [
          {
            guard: "isLastOpenCallOfFailure",
            target: "failed",
            actions: ["rememberCall", "recordFailure"],
          },
          { guard: "isLastOpenCall", target: "cancelled", actions: "rememberCall" },
          { actions: "rememberCall" },
        ],
        "actor.failed": [
          {
            guard: "isLastOpenCallOfFailure",
            target: "failed",
            actions: ["rememberCall", "recordFailure"],
          },
          { guard: "isLastOpenCall", target: "cancelled", actions: "rememberCall" },
          { actions: "rememberCall" },
        ],
        "run.cancel": { actions: "cancelCalls" },
      },
      after: { cancelDeadline: { guard: "hasNoOpenCalls", target: "cancelled" } },
      meta: {
        ignores: {
          "slot.granted": "The run is being cancelled.",
          "activity.stopped": "Tool calls are still open.",
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
      entry: ["closeStep", { type: "closeRun", params: { state: "failed" } }],
    },
    cancelled: {
      description: "Somebody stopped the run.",
      tags: ["terminal"],
      type: "final",
      entry: ["closeStep", { type: "closeRun", params: { state: "cancelled" } }],
    },
  },
});
