import { setup } from "xstate";
import { noTrust, type SessionContext } from "../schema/contexts.ts";
import { knowing } from "../policy/origins.ts";
import type { Delivered, EventMeta } from "../schema/event.ts";
import { lookup, notice, send, spawnActor, wakeLater, write } from "./effect-actions.ts";
import {
  beginNextRun,
  beginRun,
  cancelRun,
  closeSession,
  joinRun,
  keepMessage,
  openSession,
  replaceKept,
  settleFailedRun,
  steerRun,
  takeNext,
  touchSession,
} from "./session-effects.ts";
import type { SessionEvent, SessionInput } from "./session-events.ts";
import { awaitExpiry, findGrant, removeExpiredGrant, revokeGrant } from "./session-grants.ts";
import {
  countQueued,
  countTaken,
  forgetRun,
  rememberInterruption,
  rememberRun,
} from "./session-memory.ts";
import {
  hasNoRun,
  hasWaitingMessages,
  isFailureOfPresentRun,
  isInterrupting,
  isPresentRun,
  isQueueOpen,
  isSteering,
} from "./session-rules.ts";

/** One conversation of one agent with one user in one place: one run at a time; what else arrives waits, or joins it. */
export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    input: {} as SessionInput & { $: EventMeta },
    events: {} as Delivered<SessionEvent>,
    tags: {} as "busy" | "waiting" | "terminal",
  },
  actions: {
    send,
    write,
    lookup,
    notice,
    spawnActor,
    wakeLater,
    openSession,
    touchSession,
    closeSession,
    beginRun,
    beginNextRun,
    keepMessage,
    replaceKept,
    joinRun,
    takeNext,
    steerRun,
    cancelRun,
    settleFailedRun,
    awaitExpiry,
    removeExpiredGrant,
    findGrant,
    revokeGrant,
    rememberRun,
    rememberInterruption,
    forgetRun,
    countQueued,
    countTaken,
  },
  guards: {
    hasWaitingMessages,
    isQueueOpen,
    isSteering,
    isInterrupting,
    isPresentRun,
    isFailureOfPresentRun,
    hasNoRun,
  },
  delays: { sessionTtl: ({ context }) => context.ttl_ms },
}).createMachine({
  id: "session",
  version: "4",
  context: ({ input }) => {
    const { $, trust = noTrust, ...session } = input;
    return {
      ...session,
      address: $.self,
      session_id: `s${$.seq}`,
      queued: 0,
      run: null,
      runs: 0,
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
          { guard: "isPresentRun", target: "idle", actions: ["forgetRun", "touchSession"] },
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
            actions: ["settleFailedRun", "forgetRun"],
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
        },
      },
    },
    closing: {
      description: "The run was told to stop; the session closes when it has.",
      tags: ["busy"],
      entry: { type: "cancelRun", params: { reason: "the session closes" } },
      on: {
        "run.finished": { guard: "isPresentRun", target: "closed" },
        "actor.failed": {
          guard: "isFailureOfPresentRun",
          target: "closed",
          actions: "settleFailedRun",
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
