import type { Lookup } from "../../../engine/engine.ts";
import type { RowReader } from "../../../ports/store.ts";
import { type DeliveryRow, deliveryTable } from "../../../schema/rows/channel-rows.ts";
import type { SendParams } from "../../../schema/effect.ts";
import { approvalTable } from "../../../schema/rows/permission-rows.ts";
import { answeredMessage, dueIn } from "../sending/announce.ts";
import { deliveriesAbout } from "./question-rows.ts";
import { askedIn } from "./question-places.ts";
import { tellQueued } from "./queued.ts";
import { placesOf } from "./repost.ts";

/** Questions to people in channels, and how they ended, wherever they were answered. */
export const questionAnnouncements: { readonly [name: string]: Lookup } = {
  tellQuestion: (read, { approval_id }) => {
    const approval = read.get(approvalTable, approval_id as string);
    if (approval === undefined) return [];
    const { home } = askedIn(approval);
    const said = { kind: "question", about: approval.approval_id } as const;
    return placesOf(approval).map(({ connector_id, scope }) => {
      const isHome = scope === home.conversation_scope;
      const reply_to = isHome ? answeredMessage(read, home, approval.trace_id) : null;
      return dueIn(connector_id, scope, { ...said, reply_to });
    });
  },
  tellOutcome: (read, { approval_id }) =>
    deliveriesAbout(read, approval_id as string)
      .filter(({ kind }) => kind === "question")
      .slice(-mostEdits)
      .flatMap((row) => outcomeOf(read, row)),
  /** One that was on its way while its question ended. */
  tellLateOutcome: (read, { delivery_id }) => {
    const row = read.get(deliveryTable, delivery_id as string);
    return row === undefined ? [] : outcomeOf(read, row);
  },
  tellQueued,
};

/** Of a question that was posted again and again, the newest. */
const mostEdits = 20;

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
