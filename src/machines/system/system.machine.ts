import { setup } from "xstate";
import type { SystemContext } from "../../schema/contexts/system-context.ts";
import type { EventMeta } from "../../schema/events/event.ts";
import { lookup, restartActor, send, spawnActor, wakeLater, write } from "../effect-actions.ts";
import { clearMark } from "./marks.ts";
import {
  forgetFailures,
  isRestartable,
  offerSlots,
  rememberFailure,
  rememberRestart,
  restartChild,
  retryGivenUp,
  scheduleRestart,
  startChildren,
} from "./supervision.ts";
import type { SystemEvent, SystemInput } from "./system-events.ts";

/** The root: supervises one for one, and never leaves `running` because of another actor. */
export const systemMachine = setup({
  types: {
    context: {} as SystemContext,
    input: {} as SystemInput & { $: EventMeta },
    events: {} as SystemEvent,
    tags: {} as "busy" | "waiting" | "terminal",
  },
  actions: {
    send,
    spawnActor,
    restartActor,
    wakeLater,
    lookup,
    write,
    startChildren,
    scheduleRestart,
    restartChild,
    rememberRestart,
    rememberFailure,
    forgetFailures,
    retryGivenUp,
    offerSlots,
    clearMark,
  },
  guards: { isRestartable },
}).createMachine({
  id: "system",
  version: "3",
  context: ({ input }) => ({
    children: input.children,
    max_restarts: input.max_restarts,
    within_ms: input.within_ms,
    backoff_ms: input.backoff_ms,
    restarts: [],
    failures: [],
    tags: [],
  }),
  on: {
    "actor.failed": [
      { guard: "isRestartable", actions: ["rememberRestart", "scheduleRestart"] },
      { actions: "rememberFailure" },
    ],
    "child.restart": { actions: "restartChild" },
    "config.reloaded": { actions: "offerSlots" },
    "mark.clear": { actions: "clearMark" },
  },
  initial: "booting",
  states: {
    booting: {
      description: "The very first start of this home; its children do not live yet.",
      tags: ["busy"],
      on: { "system.start": { target: "running", actions: "startChildren" } },
      meta: {
        ignores: {
          "system.drain": "The service has not started yet.",
          "system.stop": "The service has not started yet.",
        },
      },
    },
    running: {
      description: "The service serves; what was interrupted goes on.",
      on: { "system.drain": "draining", "system.stop": "stopped" },
      meta: { ignores: { "system.start": "The service runs already." } },
    },
    draining: {
      description: "Nothing new is taken; what runs may end. A service killed here starts again.",
      tags: ["busy"],
      on: {
        "system.start": { target: "running", actions: ["retryGivenUp", "forgetFailures"] },
        "system.stop": "stopped",
      },
      meta: { ignores: { "system.drain": "The service is draining already." } },
    },
    stopped: {
      description: "The service was stopped in good order; its children live on as rows.",
      tags: ["waiting"],
      on: { "system.start": { target: "running", actions: ["retryGivenUp", "forgetFailures"] } },
      meta: {
        ignores: {
          "system.drain": "The service is stopped.",
          "system.stop": "The service is stopped.",
        },
      },
    },
  },
});
