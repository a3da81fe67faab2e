import type { CommittedReader } from "../../../ports/store.ts";
import { type DeliveryRow, deliveryTable } from "../../../schema/rows/channel-rows.ts";
import type { Button, CardPart, OutboundMessage } from "../../../schema/outbound.ts";
import { type Approval, approvalTable } from "../../../schema/rows/permission-rows.ts";
import { buttonsOf } from "./question-buttons.ts";
import { endedCard, olderCard, openCard } from "./question-card.ts";
import { askedIn } from "./question-places.ts";

/** A question to people as a card with buttons; once it has ended, as a card that says how.
 *  @returns undefined: there is nothing to say any more */
export async function composeQuestion(
  read: CommittedReader,
  row: DeliveryRow,
): Promise<OutboundMessage | undefined> {
  const approval = await read.get(approvalTable, row.about ?? "");
  if (approval === undefined) return undefined;
  if (approval.state !== "pending")
    return row.kind === "outcome" ? posted(row, endedCard(approval, row.scope)) : undefined;
  if (row.kind === "question") return asked(row, approval);
  const cards = await read.select(deliveryTable, {
    index: "by_about",
    equals: [approval.approval_id],
  });
  return hasNewer(cards, row) ? posted(row, olderCard(approval)) : undefined;
}

/** Only then may the buttons of the older one go. */
function hasNewer(cards: readonly DeliveryRow[], { scope, edits, seq }: DeliveryRow): boolean {
  const arrived = cards.filter(
    (card) => card.kind === "question" && card.scope === scope && card.message_ids.length > 0,
  );
  const older = arrived.find(({ message_ids }) => message_ids.includes(edits ?? ""));
  return arrived.some((card) => card.seq > (older?.seq ?? seq));
}

function asked(row: DeliveryRow, approval: Approval): OutboundMessage {
  const { parts } = openCard(approval, row.scope);
  const buttons = offeredTo(row.scope, approval);
  const wants_reply = approval.kind === "question" && buttons.length === 0;
  return { ...posted(row, parts), buttons, wants_reply };
}

/** The buttons that this question's card has in a conversation; none where nobody may decide. */
export function offeredTo(scope: string, approval: Approval): readonly (readonly Button[])[] {
  const { home, mayDecideAtHome } = askedIn(approval);
  if (scope === home.conversation_scope && !mayDecideAtHome) return [];
  return buttonsOf(approval, openCard(approval, scope).isWhole);
}

function posted({ scope, reply_to }: DeliveryRow, parts: readonly CardPart[]): OutboundMessage {
  return { scope, reply_to, body: { kind: "card", parts }, buttons: [], wants_reply: false };
}
