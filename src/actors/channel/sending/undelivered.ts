import type { Lookup } from "../../../engine/engine.ts";
import type { Button } from "../../../schema/outbound.ts";
import { type DeliveryRow, deliveryTable } from "../../../schema/rows/channel-rows.ts";
import { dueIn } from "./announce.ts";

/** What became of an answer or a question that may not have arrived, or did not: its people hear of it where it was to be read, with
 *  a button that has it sent again. What is told of that is not told of in turn. */
export const tellUndelivered: Lookup = (read, { delivery_id }) => {
  const row = read.get(deliveryTable, delivery_id as string);
  if (row === undefined || !isMissed(row)) return [];
  const { connector_id, scope, delivery_id: about } = row;
  return [dueIn(connector_id, scope, { kind: "notice", about, text: undeliveredText(row) })];
};

function isMissed({ kind, state, error }: DeliveryRow): boolean {
  const isWaitedFor = kind === "reply" || kind === "question";
  return isWaitedFor && (state === "unknown" || (state === "dead" && error !== null));
}

function undeliveredText({ kind, state, error, message_ids }: DeliveryRow): string {
  const [whole, one] =
    kind === "question"
      ? ["A question of mine", "a question of mine"]
      : ["An answer of mine", "an answer of mine"];
  const subject = message_ids.length === 0 ? whole : `The rest of ${one}`;
  if (state === "unknown")
    return `${subject} may not have reached you: the connection broke while it was sent.`;
  const why = error?.code.startsWith("channel.") === true ? ` ${error.message}` : "";
  return `${subject} could not be sent.${why}`;
}

export function resendButton({ delivery_id }: Pick<DeliveryRow, "delivery_id">): Button {
  return { label: "Send it again", data: `r:${delivery_id}:` };
}

/** @returns the delivery that such a button names; undefined: it is another button */
export function readResendData(data: string): string | undefined {
  return /^r:(d\d{1,16}):$/.exec(data)?.[1];
}

/** While that helps, and nobody has yet. */
export function mayBeResent({ state, resent_as }: DeliveryRow): boolean {
  return resent_as === null && (state === "unknown" || state === "dead");
}
