import { setup } from "xstate";
import type { SystemContext } from "../schema/contexts.ts";
import type { EventMeta } from "../schema/event.ts";
import { restartActor, send, spawnActor, wakeLater } from "./effect-actions.ts";
import {
  isRestartable,
  rememberFailure,
  rememberRestart,
  restartChild,
  scheduleRestart,
  startChildren,
} from "./supervision.ts";
import type { SystemEvent, SystemInput } from "./system-events.ts";

/** The root: supervises one for one, and never leaves `running` because of another actor. */
export const systemMachine = setup({
  types: {} as {
    context: SystemContext;
    input: SystemInput & { $: EventMeta };
    events: SystemEvent;
    tags: "busy" | "waiting" | "terminal";
  },
  actions: {
    send,
    spawnActor,
    restartActor,
    wakeLater,
    startChildren,
    scheduleRestart,
    restartChild,
    rememberRestart,
    rememberFailure,
  },
  guards: { isRestartable },
}).createMachine({
  id: "system",
  version: "1",
  context: ({ input }) => ({
    children: input.children,
    max_restarts: input.max_restarts,
    within_ms: input.within_ms,
    backoff_ms: input.backoff_ms,
    restarts: [],
    failures: [],
    tags: [],
  }),
  initial: "booting",
  states: {
    booting: {
      description: "The service starts; what was interrupted is being resumed.",
      tags: ["busy"],
      on: {
        "system.start": { target: "running", actions: "startChildren" },
        "system.stop": "stopped",
        "actor.failed": { actions: "rememberFailure" },
      },
      meta: {
        ignores: {
          "system.drain": "The service has not started yet.",
          "child.restart": "The service has not started yet.",
        },
      },
    },
    running: {
      description: "The service serves.",
      on: {
        "actor.failed": [
          { guard: "isRestartable", actions: ["rememberRestart", "scheduleRestart"] },
          { actions: "rememberFailure" },
        ],
        "child.restart": { actions: "restartChild" },
        "system.drain": "draining",
        "system.stop": "stopped",
      },
      meta: { ignores: { "system.start": "The service runs already." } },
    },
    draining: {
      description: "Nothing new is taken; what runs may end.",
      tags: ["busy"],
      on: {
        "system.stop": "stopped",
        "actor.failed": { actions: "rememberFailure" },
      },
      meta: {
        ignores: {
          "system.start": "The service is stopping.",
          "system.drain": "The service is draining already.",
          "child.restart": "The service is stopping.",
        },
      },
    },
    stopped: {
      description: "The service was stopped in good order; the next start begins anew from here.",
      tags: ["waiting"],
      on: {
        "system.start": { target: "running", actions: "startChildren" },
        "actor.failed": { actions: "rememberFailure" },
      },
      meta: {
        ignores: {
          "system.drain": "The service is stopped.",
          "system.stop": "The service is stopped.",
          "child.restart": "The service is stopped.",
        },
      },
    },
  },
});
