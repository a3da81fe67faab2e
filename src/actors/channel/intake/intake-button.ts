import type { Admitted, Refusal } from "../../../gateway/judged.ts";
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
import { personName } from "../../../policy/person-name.ts";

/** A tapped button: the answer of a person to exactly what a card of ours showed, or nothing at all. Whether the person may decide
 *  is the approval's word, so that a refusal stands in the audit. */
export function answerByTap(intake: Intake, admitted: Admitted): readonly SendParams[] {
  const asked = tappedQuestion(intake, admitted);
  if (asked?.approval.state !== "pending") return [];
  const { data, approval, card } = asked;
  const { connector_id, conversation_scope: scope, user_scope, trace_id: trace } = admitted.place;
  if (!isOffered(data, scope, approval)) return [];
  const by = personName(connector_id, user_scope);
  const said = { ...eventOf(data, approval, by), ...barringOf(intake.channels, approval, by) };
  const answer = { to: approval.address, event: said, trace };
  if (card.state !== "unknown") return [answer];
  const edits = asked.message_id;
  const about = approval.approval_id;
  return [answer, { ...dueIn(connector_id, scope, { kind: "outcome", about, edits }), trace }];
}

/** For the audit: a question that has ended notes nothing any more. */
export function lateTap(intake: Intake, admitted: Admitted): readonly Refusal[] {
  const asked = tappedQuestion(intake, admitted);
  if (asked === undefined || asked.approval.state === "pending") return [];
  const { connector_id, user_scope, trace_id: trace } = admitted.place;
  const { approval_id, state } = asked.approval;
  const by = personName(connector_id, user_scope);
  return [{ by, reason: `late_answer: ${approval_id} is ${state}`, count: 1, trace }];
}

type TappedQuestion = {
  readonly data: TapData;
  readonly approval: Approval;
  readonly card: DeliveryRow;
  readonly message_id: string;
};

/** @returns undefined: it is no button of a card of ours in this conversation */
function tappedQuestion({ read }: Intake, { place, what }: Admitted): TappedQuestion | undefined {
  const data = what.kind === "button" ? readTapData(what.data) : undefined;
  if (what.kind !== "button" || data === undefined) return undefined;
  const { connector_id, conversation_scope: scope } = place;
  const { message_id } = what;
  const rows = deliveriesAbout(read, data.approvalId);
  const card = tappedCard(rows, { connector_id, scope, message_id });
  const approval = read.get(approvalTable, data.approvalId);
  if (approval === undefined || card === undefined) return undefined;
  return { data, approval, card, message_id };
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
