import { assign } from "xstate";
import type { SessionContext } from "../../schema/contexts/session-context.ts";
import type { Trust } from "../../schema/contexts/trust.ts";
import type { Delivered } from "../../schema/events/event.ts";
import type { SessionEvent } from "./session-events.ts";
import { knowing, unknownFrom, withOrigins } from "../../policy/origins.ts";

/** What a session remembers: which run is the present one, how many messages wait. */

type Event = Delivered<SessionEvent>;
type Known = { readonly context: SessionContext; readonly event: Event };

const remember = (change: (known: Known) => Partial<SessionContext>) =>
  assign<SessionContext, Event, undefined, Event, never>(change);

/** A run's id is made from the number of the step that begins it. */
export const rememberRun = remember(({ context, event }) => ({
  run: {
    id: `r${event.$.seq}`,
    address: `${context.address}/run/r${event.$.seq}`,
    interrupted: false,
  },
  runs: context.runs + 1,
  ...broughtBy({ context, event }),
}));

export const rememberInterruption = remember(({ context }) => ({
  run: context.run === null ? null : { ...context.run, interrupted: true },
}));

/** What the run had come to know stays in the conversation, and so with its session. */
export const forgetRun = remember((known) => {
  const learnt = learntFrom(known);
  return { run: null, ...(learnt && knowing(withOrigins(known.context.trust, learnt))) };
});

/** Where an agent wrote the message, what it had read may be in it. */
function broughtBy({ context, event }: Known): Partial<SessionContext> {
  if (event.type !== "message.received") return {};
  const { trust, ttl_ms = context.ttl_ms } = event;
  return { ttl_ms, ...(trust && knowing(withOrigins(context.trust, trust))) };
}

/** A run that was set aside cannot tell any more what it has read. */
function learntFrom({ context, event }: Known): Trust | undefined {
  if (event.type === "run.finished") return event.trust;
  return event.type === "actor.failed" && context.run !== null
    ? unknownFrom("run", context.run.id)
    : undefined;
}

export const countQueued = remember((known) => ({
  queued: known.context.queued + 1,
  ...broughtBy(known),
}));
export const countTaken = remember(({ context }) => ({ queued: context.queued - 1 }));
