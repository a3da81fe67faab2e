import { assign } from "xstate";
import type { SystemContext } from "../../schema/contexts/system-context.ts";
import type { Address } from "../../schema/events/event.ts";
import { ask, effects, spawn } from "../effect-actions.ts";
import type { SystemEvent } from "./system-events.ts";

/** Supervision with OTP's words: one_for_one; permanent, transient, temporary; so many restarts within a time; back-off. */

type Known = { readonly context: SystemContext; readonly event: SystemEvent };
type Child = SystemContext["children"][number];

const keptFailures = 20;

/** Connectors are as many as the configuration names: they are no children, and are restarted like permanent ones. */
const connector = { machine: "connector", address: /^connector\/[^/]+$/ };

function restartOf({ context, event }: Known): Child["restart"] {
  if (event.type !== "actor.failed") return "temporary";
  if (event.machine === connector.machine) return "permanent";
  const child = context.children.find(({ id }) => `${event.$.self}/${id}` === event.address);
  return child?.restart ?? "temporary";
}

function recentRestarts({ context, event }: Known): SystemContext["restarts"] {
  return context.restarts.filter(({ at }) => event.$.at - at < context.within_ms);
}

/** One that fails again and again uses up nobody's restarts but its own. */
const ofAddress = (restarts: SystemContext["restarts"], address: Address) =>
  restarts.filter((restart) => restart.address === address);

export function isRestartable(known: Known): boolean {
  const { context, event } = known;
  if (event.type !== "actor.failed" || restartOf(known) === "temporary") return false;
  return ofAddress(recentRestarts(known), event.address).length < context.max_restarts;
}

export const startChildren = effects<SystemContext, SystemEvent>(({ context }) =>
  context.children.map((child) => spawn(child.id, child.machine, child.input)),
);

export const rememberRestart = assign<SystemContext, SystemEvent, undefined, SystemEvent, never>(
  (known) => {
    if (known.event.type !== "actor.failed") return {};
    return {
      restarts: [...recentRestarts(known), { address: known.event.address, at: known.event.$.at }],
    };
  },
);

/** The wait doubles with each restart in the window; the timer is a row and outlives the service. */
export const scheduleRestart = effects<SystemContext, SystemEvent>(({ context, event }) => {
  if (event.type !== "actor.failed") return [];
  const { address } = event;
  const delayMs = context.backoff_ms * 2 ** (ofAddress(context.restarts, address).length - 1);
  return [
    {
      type: "wakeLater",
      params: { id: `restart ${address}`, delayMs, event: { type: "child.restart", address } },
    },
  ];
});

export const restartChild = effects<SystemContext, SystemEvent>(({ event }) =>
  event.type === "child.restart"
    ? [{ type: "restartActor", params: { address: event.address } }]
    : [],
);

/** What is given up is visible: a tag on the root, and the reason in its context. */
export const rememberFailure = assign<SystemContext, SystemEvent, undefined, SystemEvent, never>(
  ({ context, event }) => {
    if (event.type !== "actor.failed") return {};
    const failure = {
      address: event.address,
      message: `${event.error.code}: ${event.error.message}`,
      at: event.$.at,
    };
    return { failures: [...context.failures, failure].slice(-keptFailures), tags: ["degraded"] };
  },
);

/** A new start tries once more what an earlier one gave up. */
export const retryGivenUp = effects<SystemContext, SystemEvent>(({ context, event }) => {
  const children = new Set(context.children.map(({ id }) => `${event.$.self}/${id}`));
  const lost = new Set(context.failures.map(({ address }) => address));
  return [...lost]
    .filter((address) => children.has(address) || connector.address.test(address))
    .map((address) => ({ type: "restartActor", params: { address } }));
});

export const forgetFailures = assign<SystemContext, SystemEvent, undefined, SystemEvent, never>(
  () => ({ restarts: [], failures: [], tags: [] }),
);

/** More runs may work at once than before: those that wait are asked in at once. */
export const offerSlots = effects<SystemContext, SystemEvent>(() => [ask("grantSlots", {})]);
