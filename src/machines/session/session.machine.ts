import { fromPromise, setup } from "xstate";
import type {
  ChangeMemoryInput,
  ChangeMemoryOutput,
  SummarizeHistoryInput,
  SummarizeHistoryOutput,
} from "../../schema/activities.ts";
import { knowing } from "../../policy/origins.ts";
import { noTrust } from "../../schema/contexts/trust.ts";
import type { SessionContext } from "../../schema/contexts/session-context.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import { factsToRemember, historyToSummarize } from "./session-compaction.ts";
import type { SessionEvent, SessionInput } from "./session-events.ts";
import { sessionActions, sessionGuards } from "./session-setup.ts";

/** One conversation of one agent with one user in one place: one run at a time; what else arrives waits, or joins it. */
export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    input: {} as SessionInput & { $: EventMeta },
    events: {} as Delivered<SessionEvent>,
    tags: {} as "busy" | "waiting" | "terminal",
  },
  actors: {
    summarizeHistory: fromPromise<SummarizeHistoryOutput, SummarizeHistoryInput>(() => {
      throw new Error("summarizeHistory is an activity: the engine runs it");
    }),
    changeMemory: fromPromise<ChangeMemoryOutput, ChangeMemoryInput>(() => {
      throw new Error("changeMemory is an activity: the engine runs it");
    }),
  },
  actions: sessionActions,
  guards: sessionGuards,
  delays: { sessionTtl: ({ context }) => context.ttl_ms, compactionDeadline: 180_000 },
}).createMachine({
  id: "session",
  version: "5",
  context: ({ input }) => {
    const { $, trust = noTrust, ...session } = input;
    return {
      ...session,
      address: $.self,
      session_id: `s${$.seq}`,
      queued: 0,
      run: null,
      runs: 0,
      compaction: null,
      ...knowing(trust),
    };
  },
  entry: "openSession",
  on: {
    "grant.given": { actions: "awaitExpiry" },
    "grant.expired": { actions: "removeExpiredGrant" },
    "grant.revoke": { actions: "findGrant" },
    "grant.found": { actions: "revokeGrant" },
  },
  initial: "idle",
  states: {
    idle: {
      description:
        "Nothing runs and nothing waits; the next message begins a run, and after its time the session closes.",
      on: {
        "message.received": {
          target: "running",
          actions: ["rememberRun", "beginRun", "touchSession"],
        },
        "session.compact": { actions: "askForCompaction" },
        "compaction.due": [
          { guard: "isToSummarize", target: "compacting", actions: "rememberCompaction" },
          { actions: "leaveOut" },
        ],
        "session.cancel": "closed",
      },
      after: { sessionTtl: "closed" },
      meta: {
        ignores: {
          "inbox.taken": "No message waits.",
          "inbox.joined": "No message waits.",
          "message.steered": "No message waits.",
          "message.edited": "No message waits.",
          "run.finished": "No run is open.",
          "actor.failed": "No run is open.",
        },
      },
    },
    running: {
      description:
        "A run works; further messages wait their turn, are handed to it, or ask it to end first.",
      tags: ["busy"],
      on: {
        "message.received": [
          {
            guard: "isSteering",
            actions: ["countQueued", "keepMessage", "steerRun", "touchSession"],
          },
          {
            guard: "isInterrupting",
            actions: [
              "countQueued",
              "keepMessage",
              "rememberInterruption",
              { type: "cancelRun", params: { reason: "another message interrupts it" } },
              "touchSession",
            ],
          },
          { guard: "isQueueOpen", actions: ["countQueued", "keepMessage", "touchSession"] },
        ],
        "run.finished": [
          { guard: "hasWaitingMessages", actions: ["forgetRun", "takeNext"] },
          {
            guard: "isPresentRun",
            target: "idle",
            actions: ["forgetRun", "touchSession", "askForCompaction"],
          },
        ],
        "compaction.due": [
          { guard: "isToSummarize", target: "compacting", actions: "rememberCompaction" },
          { actions: "leaveOut" },
        ],
        "inbox.taken": { actions: ["countTaken", "rememberRun", "beginNextRun"] },
        "inbox.joined": { actions: ["countTaken", "joinRun"] },
        "message.steered": { actions: "countTaken" },
        "message.edited": { actions: "replaceKept" },
        "actor.failed": [
          { guard: "hasWaitingMessages", actions: ["settleFailedRun", "forgetRun", "takeNext"] },
          {
            guard: "isFailureOfPresentRun",
            target: "idle",
            actions: ["settleFailedRun", "forgetRun", "askForCompaction"],
          },
        ],
        "session.cancel": [{ guard: "hasNoRun", target: "closed" }, { target: "closing" }],
      },
      meta: {
        ignores: {
          "message.received":
            "session.queue_full: Too many messages wait in this session; try again when it has caught up.",
          "run.finished": "That run is not the present one.",
          "actor.failed": "That is not the present run.",
          "session.compact": "The agent works; ask again when it has answered.",
        },
      },
    },
    compacting: {
      description:
        "Between two runs: what is to be left out of the conversation is summed up; further messages wait their turn.",
      tags: ["busy"],
      on: {
        "message.received": {
          guard: "isQueueOpen",
          actions: ["countQueued", "keepMessage", "touchSession"],
        },
        "message.edited": { actions: "replaceKept" },
        "session.cancel": "closed",
      },
      meta: {
        ignores: {
          "message.received":
            "session.queue_full: Too many messages wait in this session; try again when it has caught up.",
          "inbox.taken": "The conversation is being summed up.",
          "inbox.joined": "The conversation is being summed up.",
          "message.steered": "No run is open.",
          "run.finished": "No run is open.",
          "actor.failed": "No run is open.",
          "session.compact": "The conversation is being summed up already.",
          "compaction.due": "The conversation is being summed up already.",
        },
      },
      initial: "summarizing",
      states: {
        summarizing: {
          description: "The agent's model sums up the oldest part that no summary tells of.",
          tags: ["busy"],
          invoke: {
            src: "summarizeHistory",
            id: "summarizeHistory",
            input: historyToSummarize,
            onDone: [
              { guard: "hasFacts", target: "flushing", actions: "rememberSummary" },
              {
                guard: "hasMoreParts",
                target: "summarizing",
                reenter: true,
                actions: ["rememberSummary", "recordSummary"],
              },
              {
                guard: "hasQueued",
                target: "#session.running",
                actions: ["rememberSummary", "recordSummary", "forgetCompaction", "takeNext"],
              },
              {
                target: "#session.idle",
                actions: ["rememberSummary", "recordSummary", "forgetCompaction"],
              },
            ],
            onError: [
              {
                guard: "hasQueued",
                target: "#session.running",
                actions: ["leaveOut", "forgetCompaction", "takeNext"],
              },
              { target: "#session.idle", actions: ["leaveOut", "forgetCompaction"] },
            ],
          },
          after: {
            compactionDeadline: [
              {
                guard: "hasQueued",
                target: "#session.running",
                actions: ["leaveOut", "forgetCompaction", "takeNext"],
              },
              { target: "#session.idle", actions: ["leaveOut", "forgetCompaction"] },
            ],
          },
        },
        flushing: {
          description: "What should last goes to memory, before the summary takes its place.",
          tags: ["busy"],
          invoke: {
            src: "changeMemory",
            id: "changeMemory",
            input: factsToRemember,
            onDone: [
              {
                guard: "hasMoreParts",
                target: "summarizing",
                actions: "recordSummary",
              },
              {
                guard: "hasQueued",
                target: "#session.running",
                actions: ["recordSummary", "forgetCompaction", "takeNext"],
              },
              { target: "#session.idle", actions: ["recordSummary", "forgetCompaction"] },
            ],
            onError: [
              {
                guard: "hasQueued",
                target: "#session.running",
                actions: ["recordSummary", "forgetCompaction", "takeNext"],
              },
              { target: "#session.idle", actions: ["recordSummary", "forgetCompaction"] },
            ],
          },
          after: {
            compactionDeadline: [
              {
                guard: "hasQueued",
                target: "#session.running",
                actions: ["recordSummary", "forgetCompaction", "takeNext"],
              },
              { target: "#session.idle", actions: ["recordSummary", "forgetCompaction"] },
            ],
          },
        },
      },
    },
    closing: {
      description: "The run was told to stop; the session closes when it has.",
      tags: ["busy"],
      entry: { type: "cancelRun", params: { reason: "the session closes" } },
      on: {
        "run.finished": { guard: "isPresentRun", target: "closed", actions: "forgetRun" },
        "actor.failed": {
          guard: "isFailureOfPresentRun",
          target: "closed",
          actions: ["settleFailedRun", "forgetRun"],
        },
        "message.steered": { actions: "countTaken" },
        "session.cancel": {
          actions: { type: "cancelRun", params: { reason: "the session closes" } },
        },
      },
      meta: {
        ignores: {
          "message.received": "The session is closing; send it again to begin a new one.",
          "message.edited": "The session is closing.",
          "inbox.taken": "The session is closing.",
          "inbox.joined": "The session is closing.",
          "run.finished": "That run is not the present one.",
          "actor.failed": "That is not the present run.",
          "session.compact": "The session is closing.",
          "compaction.due": "The session is closing.",
        },
      },
    },
    closed: {
      description: "The session has ended and its grants with it; the same key begins a new one.",
      tags: ["terminal"],
      type: "final",
      entry: "closeSession",
    },
  },
});
