import type { Lookup } from "../../engine/engine.ts";
import type { RowReader } from "../../ports/store.ts";
import { type DeliveryRow, deliveryTable } from "../../schema/channel-rows.ts";
import type { SendParams } from "../../schema/effect.ts";
import { approvalTable } from "../../schema/permission-rows.ts";
import { answeredMessage, due, dueIn, placeOf } from "./announce.ts";

/** Questions to people in channels, and how they ended, wherever they were answered. */
export const questionAnnouncements: { readonly [name: string]: Lookup } = {
  tellQuestion: (read, { session_address, approval_id }) => {
    const about = approval_id as string;
    const place = placeOf(session_address);
    const trace = read.get(approvalTable, about)?.trace_id ?? "";
    const reply_to = answeredMessage(read, place, trace);
    return [due(place, { kind: "question", about, reply_to })];
  },
  tellOutcome: (read, { approval_id }) =>
    read
      .select(deliveryTable, { index: "by_about", equals: [approval_id as string] })
      .flatMap((row) => outcomeOf(read, row)),
  /** One that was on its way while its question ended. */
  tellLateOutcome: (read, { delivery_id }) => {
    const row = read.get(deliveryTable, delivery_id as string);
    return row === undefined ? [] : outcomeOf(read, row);
  },
};

/** In the place of the question, where it was posted. */
function outcomeOf(
  read: RowReader,
  { kind, about, connector_id, scope, message_ids }: DeliveryRow,
): readonly SendParams[] {
  const [edits] = message_ids;
  const approval = read.get(approvalTable, about ?? "");
  if (kind !== "question" || edits === undefined || approval?.state === "pending") return [];
  return [dueIn(connector_id, scope, { kind: "outcome", about, edits })];
}
