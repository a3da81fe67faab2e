import { fromPromise, setup } from "xstate";
import type {
  ChannelIdentity,
  OpenChannelInput,
  ReceivedUpdates,
  ReceiveUpdatesInput,
} from "../../schema/activities.ts";
import type { ConnectorContext } from "../../schema/contexts/connector-context.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import {
  findPairing,
  judgeUpdates,
  recordChoice,
  recordJudged,
  recordPairing,
  settleFailedChild,
  spawnDelivery,
  tellRefused,
} from "./connector-effects.ts";
import { findResendable, repeatDelivery } from "./connector-resend.ts";
import type { ConnectorEvent, ConnectorInput } from "./connector-events.ts";
import {
  countJudged,
  forgetErrors,
  newConnector,
  rememberArrival,
  rememberConflict,
  rememberCursor,
  rememberError,
  rememberIdentity,
  rememberIntake,
} from "./connector-memory.ts";
import {
  backoffMs,
  conflictMs,
  isConflict,
  isLastConflict,
  isRefused,
  isUnauthorized,
  isWebhook,
} from "./connector-rules.ts";
import { lookup, notice, send, spawnActor, write } from "../effect-actions.ts";

/** One account of a channel: receives what people write and hands it on; what is to be said to them are its children. */
export const connectorMachine = setup({
  types: {
    context: {} as ConnectorContext,
    input: {} as ConnectorInput & { $: EventMeta },
    events: {} as Delivered<ConnectorEvent>,
    tags: {} as "busy" | "waiting",
  },
  actors: {
    openChannel: fromPromise<ChannelIdentity, OpenChannelInput>(() => {
      throw new Error("openChannel is an activity: the engine runs it");
    }),
    receiveUpdates: fromPromise<ReceivedUpdates, ReceiveUpdatesInput>(() => {
      throw new Error("receiveUpdates is an activity: the engine runs it");
    }),
  },
  actions: {
    send,
    spawnActor,
    lookup,
    write,
    notice,
    rememberIdentity,
    rememberCursor,
    rememberArrival,
    rememberError,
    rememberConflict,
    forgetErrors,
    rememberIntake,
    countJudged,
    judgeUpdates,
    recordJudged,
    recordChoice,
    spawnDelivery,
    tellRefused,
    findPairing,
    recordPairing,
    settleFailedChild,
    findResendable,
    repeatDelivery,
  },
  guards: { isUnauthorized, isConflict, isLastConflict, isRefused, isWebhook },
  delays: {
    backoff: backoffMs,
    conflictWait: conflictMs,
    openDeadline: 60_000,
    pollDeadline: 120_000,
  },
}).createMachine({
  id: "connector",
  version: "1",
  context: newConnector,
  on: {
    "updates.judged": { actions: ["countJudged", "recordJudged"] },
    "updates.deferred": { actions: "judgeUpdates" },
    "agent.chosen": { actions: "recordChoice" },
    "delivery.due": { actions: "spawnDelivery" },
    "delivery.resend": { actions: "findResendable" },
    "resendable.found": { actions: "repeatDelivery" },
    "message.refused": { actions: "tellRefused" },
    "pairing.approve": { actions: "findPairing" },
    "pairing.revoke": { actions: "findPairing" },
    "pairing.found": { actions: "recordPairing" },
    "actor.failed": { actions: "settleFailedChild" },
    "connector.start": { target: ".connecting", actions: ["rememberIntake", "forgetErrors"] },
    "connector.stop": { target: ".stopped" },
  },
  initial: "connecting",
  states: {
    connecting: {
      description: "The channel is asked who we are, and told how it is to bring updates.",
      tags: ["busy"],
      invoke: {
        src: "openChannel",
        id: "openChannel",
        input: ({ context }) => ({ connector_id: context.connector_id }),
        onDone: [
          { guard: "isWebhook", target: "ready", actions: ["rememberIdentity", "forgetErrors"] },
          { target: "polling", actions: "rememberIdentity" },
        ],
        onError: [
          { guard: "isUnauthorized", target: "unauthorized", actions: "rememberError" },
          { guard: "isLastConflict", target: "stopped", actions: "rememberConflict" },
          { guard: "isConflict", target: "conflict", actions: "rememberConflict" },
          { guard: "isRefused", target: "stopped", actions: "rememberError" },
          { target: "backing_off", actions: "rememberError" },
        ],
      },
      on: { "updates.received": { actions: ["rememberArrival", "judgeUpdates"] } },
      after: { openDeadline: { target: "backing_off", actions: "rememberError" } },
    },
    polling: {
      description:
        "Waits for updates; each batch is kept, with how far it reaches, before the next is asked for.",
      tags: ["waiting"],
      invoke: {
        src: "receiveUpdates",
        id: "receiveUpdates",
        input: ({ context }) => ({ connector_id: context.connector_id, cursor: context.cursor }),
        onDone: {
          target: "polling",
          reenter: true,
          actions: ["rememberCursor", "judgeUpdates"],
        },
        onError: [
          { guard: "isUnauthorized", target: "unauthorized", actions: "rememberError" },
          { guard: "isLastConflict", target: "stopped", actions: "rememberConflict" },
          { guard: "isConflict", target: "conflict", actions: "rememberConflict" },
          { guard: "isRefused", target: "stopped", actions: "rememberError" },
          { target: "backing_off", actions: "rememberError" },
        ],
      },
      after: { pollDeadline: { target: "backing_off", actions: "rememberError" } },
      meta: {
        ignores: {
          "updates.received": "This connector asks for its updates itself.",
        },
      },
    },
    ready: {
      description: "The channel brings updates by itself.",
      tags: ["waiting"],
      on: { "updates.received": { actions: ["rememberArrival", "judgeUpdates"] } },
    },
    backing_off: {
      description: "The channel did not answer as it should; it is tried again after a while.",
      tags: ["waiting"],
      on: { "updates.received": { actions: ["rememberArrival", "judgeUpdates"] } },
      after: { backoff: "connecting" },
    },
    conflict: {
      description:
        "Somebody else receives for the same account; after some tries this one gives way.",
      tags: ["waiting"],
      after: { conflictWait: "connecting" },
      meta: {
        ignores: {
          "updates.received": "Somebody else receives for this account.",
        },
      },
    },
    unauthorized: {
      description:
        "The channel refuses the token; a person has to set it right, and start it again.",
      tags: ["waiting"],
      meta: {
        ignores: {
          "updates.received": "The channel refuses the token.",
        },
      },
    },
    stopped: {
      description: "Receives nothing until it is started again; what is to be sent is still sent.",
      tags: ["waiting"],
      meta: {
        ignores: {
          "updates.received": "The connector is stopped.",
        },
      },
    },
  },
});
