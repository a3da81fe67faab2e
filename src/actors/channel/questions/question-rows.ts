import type { RowReader } from "../../../ports/store.ts";
import { type DeliveryRow, deliveryTable } from "../../../schema/rows/channel-rows.ts";
import { type Approval, approvalTable } from "../../../schema/rows/permission-rows.ts";
import { sessionTable } from "../../../schema/rows/session-rows.ts";

/** The rows of questions and of the cards that put them to people. */

export type Spot = { readonly connector_id: string; readonly scope: string };

/** Oldest first. */
export function deliveriesAbout(read: RowReader, approvalId: string): readonly DeliveryRow[] {
  return read.select(deliveryTable, { index: "by_about", equals: [approvalId] });
}

/** The cards of one conversation, oldest first. */
export function cardsAt(
  rows: readonly DeliveryRow[],
  { connector_id, scope }: Spot,
): readonly DeliveryRow[] {
  return rows.filter(
    (row) => row.kind === "question" && row.connector_id === connector_id && row.scope === scope,
  );
}

/** What the present conversation of this key waits for, oldest first. */
export function openQuestions(read: RowReader, key: string): readonly Approval[] {
  const [session] = read.select(sessionTable, {
    index: "by_key",
    equals: [key],
    descending: true,
    limit: 1,
  });
  if (session === undefined) return [];
  return read.select(approvalTable, {
    index: "by_session",
    equals: [session.session_id, "pending"],
  });
}
