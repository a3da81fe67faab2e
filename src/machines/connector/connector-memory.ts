import { assign } from "xstate";
import type { ConnectorContext } from "../../schema/contexts/connector-context.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import type { AnyConnectorEvent, ConnectorEvent, ConnectorInput } from "./connector-events.ts";

/** What a connector remembers: how far it has received, who it is, what goes wrong. */

type Event = Delivered<ConnectorEvent>;
type Known = { readonly context: ConnectorContext; readonly event: Delivered<AnyConnectorEvent> };

const remember = (change: (known: Known) => Partial<ConnectorContext>) =>
  assign<ConnectorContext, Event, undefined, Event, never>(change);

export function newConnector({
  input,
}: {
  readonly input: ConnectorInput & { $: EventMeta };
}): ConnectorContext {
  const { $: _meta, ...connector } = input;
  return {
    ...connector,
    cursor: null,
    last_update_at: null,
    identity: null,
    failures: 0,
    conflicts: 0,
    is_settled: false,
    error: null,
    accepted: 0,
    refused: 0,
  };
}

/** Another account numbers its updates otherwise: how far the one before had come says nothing of it. */
export const rememberIdentity = remember(({ context, event }) => {
  if (event.type !== "xstate.done.actor.openChannel") return {};
  const { output: identity } = event;
  const isAnother = context.identity !== null && context.identity.id !== identity.id;
  return isAnother ? { identity, cursor: null, last_update_at: null } : { identity };
});

/** After a week without any, Telegram numbers updates anew, perhaps lower; what was taken before is known by its rows. */
const cursorLastsMs = 6 * 24 * 3_600_000;

/** A poll that came back ends a row of failures. */
export const rememberCursor = remember(({ context, event }) => {
  if (event.type !== "xstate.done.actor.receiveUpdates") return {};
  const { cursor, updates } = event.output;
  const { at } = event.$;
  const last_update_at = updates.length > 0 ? at : context.last_update_at;
  const isOld = last_update_at !== null && at - last_update_at > cursorLastsMs;
  return {
    cursor: isOld ? null : cursor,
    last_update_at: isOld ? null : last_update_at,
    failures: 0,
    conflicts: 0,
    is_settled: true,
    error: null,
  };
});

export const rememberArrival = remember(({ event }) => ({ last_update_at: event.$.at }));

export const rememberError = remember(({ context, event }) => ({
  failures: context.failures + 1,
  error: errorIn(event),
}));

export const rememberConflict = remember(({ context, event }) => ({
  conflicts: context.conflicts + 1,
  error: errorIn(event),
}));

function errorIn(event: Delivered<AnyConnectorEvent>): ErrorData {
  if (
    event.type === "xstate.error.actor.openChannel" ||
    event.type === "xstate.error.actor.receiveUpdates"
  )
    return event.error;
  const message = "The channel did not answer in time.";
  return { code: "channel.unreachable", message, retryable: true };
}

export const forgetErrors = remember(() => ({ failures: 0, conflicts: 0, error: null }));

export const rememberIntake = remember(({ context, event }) =>
  event.type === "connector.start"
    ? { intake: event.intake ?? context.intake, is_settled: false }
    : {},
);

export const countJudged = remember(({ context, event }) => {
  if (event.type !== "updates.judged") return {};
  const accepted = event.updates.filter(({ verdict }) => verdict === "accepted").length;
  return {
    accepted: context.accepted + accepted,
    refused: event.refusals.reduce((sum, { count }) => sum + count, context.refused),
  };
});
