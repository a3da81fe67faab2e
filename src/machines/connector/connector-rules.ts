import type { ConnectorContext } from "../../schema/contexts/connector-context.ts";
import type { ErrorCode } from "../../schema/errors.ts";
import type { AnyConnectorEvent } from "./connector-events.ts";

/** The yes/no questions and the waits of the connector's chart. */

type Asked = {
  readonly context: ConnectorContext;
  readonly event: { readonly type: string };
};

/** One poll after another met somebody else's: this one gives way. Each new poll ends the other's, so the one that was there first
 *  comes back sooner, and has more patience than the other. */
const quarrel = {
  settled: { mostConflicts: 8, waitMs: 3_000 },
  newcomer: { mostConflicts: 6, waitMs: 10_000 },
};

const manners = ({ is_settled }: ConnectorContext) =>
  is_settled ? quarrel.settled : quarrel.newcomer;

const firstBackoffMs = 1_000;
const longestBackoffMs = 60_000;

function codeIn(event: { readonly type: string }): ErrorCode | undefined {
  const said = event as AnyConnectorEvent;
  const isError =
    said.type === "xstate.error.actor.openChannel" ||
    said.type === "xstate.error.actor.receiveUpdates";
  return isError ? said.error.code : undefined;
}

export function isUnauthorized({ event }: Asked): boolean {
  return codeIn(event) === "channel.unauthorized";
}

export function isConflict({ event }: Asked): boolean {
  return codeIn(event) === "channel.conflict";
}

/** A service that was killed still holds its poll for some time; one that lives holds it longer. */
export function isLastConflict(asked: Asked): boolean {
  return isConflict(asked) && asked.context.conflicts + 1 >= manners(asked.context).mostConflicts;
}

/** What the channel refuses for good is not asked for again. */
export function isRefused({ event }: Asked): boolean {
  return codeIn(event) === "channel.refused";
}

export function isWebhook({ context }: Asked): boolean {
  return context.intake === "webhook";
}

/** Doubles with each failure in a row, unless the channel says how long. */
export function backoffMs({ context }: Pick<Asked, "context">): number {
  const { failures, error } = context;
  const doubled = firstBackoffMs * 2 ** Math.min(failures - 1, 10);
  return Math.max(error?.retry_after_ms ?? 0, Math.min(longestBackoffMs, doubled));
}

export function conflictMs({ context }: Pick<Asked, "context">): number {
  return manners(context).waitMs * context.conflicts;
}
