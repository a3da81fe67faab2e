import type { Admitted } from "../../../gateway/judged.ts";
import type { DeliveryRow } from "../../../schema/rows/channel-rows.ts";
import type { SendParams } from "../../../schema/effect.ts";
import type { EventData } from "../../../schema/events/event.ts";
import type { InboundWhat } from "../../../schema/inbound.ts";
import { type Approval, approvalTable } from "../../../schema/rows/permission-rows.ts";
import { barringOf } from "../questions/named-still.ts";
import { offeredTo } from "../questions/compose-question.ts";
import { dueIn } from "../sending/announce.ts";
import type { Intake } from "./intake-parts.ts";
import { readTapData, shownBinding, type TapData } from "../questions/question-buttons.ts";
import { cardsAt, deliveriesAbout, type Spot } from "../questions/question-rows.ts";

/** A tapped button: the answer of a person to exactly what a card of ours showed, or nothing at all. Whether the person may decide
 *  is the approval's word, so that a refusal stands in the audit. */
export function answerByTap(
  { read, channels }: Intake,
  { place, what }: Admitted,
): readonly SendParams[] {
  const data = what.kind === "button" ? readTapData(what.data) : undefined;
  if (what.kind !== "button" || data === undefined) return [];
  const approval = read.get(approvalTable, data.approvalId);
  const { connector_id, conversation_scope: scope, trace_id: trace } = place;
  const rows = deliveriesAbout(read, data.approvalId);
  const card = tappedCard(rows, { connector_id, scope, message_id: what.message_id });
  if (approval?.state !== "pending" || card === undefined) return [];
  if (!isOffered(data, scope, approval)) return [];
  const by = `${connector_id}:${place.user_scope}`;
  const said = { ...eventOf(data, approval, by), ...barringOf(channels, approval, by) };
  const answer = { to: approval.address, event: said, trace };
  if (card.state !== "unknown") return [answer];
  const edits = what.message_id;
  const about = approval.approval_id;
  return [answer, { ...dueIn(connector_id, scope, { kind: "outcome", about, edits }), trace }];
}

type Tapped = Spot & Pick<Extract<InboundWhat, { kind: "button" }>, "message_id">;

/** The message is one that was posted for this question, in this conversation. While nobody knows which message that is, the
 *  conversation is enough. */
export function tappedCard(
  rows: readonly DeliveryRow[],
  { message_id, ...spot }: Tapped,
): DeliveryRow | undefined {
  return cardsAt(rows, spot).find(
    ({ message_ids, state }) =>
      message_ids.includes(message_id) ||
      (message_ids.length === 0 && (state === "sending" || state === "unknown")),
  );
}

/** Whether the card has such a button, whatever the question said when it was posted. */
function isOffered({ answer }: TapData, scope: string, approval: Approval): boolean {
  return offeredTo(scope, approval)
    .flat()
    .some(({ data }) => readTapData(data)?.answer === answer);
}

export function isAsShown({ binding }: TapData, approval: Approval): boolean {
  return binding === shownBinding(approval.binding);
}

/** What was shown as something else is refused by the approval itself. */
function eventOf(tapped: TapData, approval: Approval, by: string): EventData {
  const binding = isAsShown(tapped, approval) ? approval.binding : tapped.binding;
  const { answer } = tapped;
  if (approval.kind !== "call")
    return { type: "approval.answer", value: approval.options[Number(answer)] ?? "", by, binding };
  const decision = answer === "d" ? "deny" : "approve";
  const scope = answer === "s" ? "session" : "once";
  return { type: "approval.decide", decision, scope, by, binding };
}
