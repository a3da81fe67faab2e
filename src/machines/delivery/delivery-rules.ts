import type { DeliverPartOutput } from "../../schema/activities.ts";
import type { DeliveryContext } from "../../schema/contexts/delivery-context.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { EventMeta } from "../../schema/events/event.ts";
import type { AnyDeliveryEvent } from "./delivery-events.ts";

/** The yes/no questions and the waits of the delivery's chart. */

type Asked = {
  readonly context: DeliveryContext;
  readonly event: { readonly type: string; readonly $: EventMeta };
};

/** After a day nobody waits for it any more. */
const triedForMs = 24 * 3_600_000;
const firstRetryMs = 1_000;
const longestRetryMs = 10 * 60_000;

function outputOf(event: { readonly type: string }): DeliverPartOutput | undefined {
  const said = event as AnyDeliveryEvent;
  return said.type === "xstate.done.actor.deliverPart" ? said.output : undefined;
}

export function errorOf(event: { readonly type: string }): ErrorData | undefined {
  const said = event as AnyDeliveryEvent;
  return said.type === "xstate.error.actor.deliverPart" ? said.error : undefined;
}

export function hasMoreParts({ context, event }: Asked): boolean {
  const output = outputOf(event);
  return output !== undefined && context.part + 1 < output.parts;
}

/** What a reply was to replace does not exist any more. */
export function hasLostItsBeginning({ context, event }: Asked): boolean {
  const isGone = errorOf(event)?.details?.["is_gone"] === true;
  return isGone && context.edits !== null && context.kind === "reply";
}

/** Nothing was sent, and it may go through later. */
export function mayRetry({ context, event }: Asked): boolean {
  const error = errorOf(event);
  if (error === undefined || isUnknownError(error)) return false;
  const canHeal = error.retryable || error.code === "channel.unauthorized";
  return canHeal && event.$.at - context.created_at < triedForMs;
}

/** It may have arrived: saying it again could say it twice. */
export function isUnknown({ event }: Asked): boolean {
  const error = errorOf(event);
  return error !== undefined && isUnknownError(error);
}

function isUnknownError({ code }: ErrorData): boolean {
  return code === "activity.outcome_unknown" || code === "channel.answer_lost";
}

/** Doubles with each attempt, unless the channel says how long. */
export function retryMs({ attempts }: DeliveryContext, error: ErrorData | undefined): number {
  const doubled = firstRetryMs * 2 ** Math.min(attempts, 12);
  return Math.max(error?.retry_after_ms ?? 0, Math.min(longestRetryMs, doubled));
}
