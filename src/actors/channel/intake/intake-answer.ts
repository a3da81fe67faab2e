import type { Admitted } from "../../../gateway/judged.ts";
import { messageIn } from "../../../gateway/standing.ts";
import { type DeliveryRow, deliveryTable } from "../../../schema/rows/channel-rows.ts";
import type { SendParams } from "../../../schema/effect.ts";
import { type Approval, approvalTable } from "../../../schema/rows/permission-rows.ts";
import { sessionKey } from "../../session-key.ts";
import { dueIn } from "../sending/announce.ts";
import type { Intake } from "./intake-parts.ts";
import { barringOf } from "../questions/named-still.ts";
import { openQuestions } from "../questions/question-rows.ts";
import { askAgain } from "../questions/repost.ts";
import { personName } from "../../../policy/person-name.ts";

/** What a person types while questions wait. Only what an agent asked the person is answered so: to allow something takes a tap on
 *  the card that shows it. */

const longestAnswer = 20_000;
const repliesSeen = 200;

/** @returns undefined: it answers nothing, and is a message like any other */
export function answerByText(
  intake: Intake,
  admitted: Admitted,
  text: string,
): readonly SendParams[] | undefined {
  const said = text.trim();
  if (!mayAnswer(admitted) || said === "" || said.length > longestAnswer) return undefined;
  const open = meant(intake, admitted);
  const [only, ...more] = open.filter((one) => isAskedOf(one, admitted));
  if (only === undefined)
    return isChoice(said, open) ? sendToCards(intake, admitted, open) : undefined;
  const isUnclear = more.length > 0 || (open.length > 1 && isChoice(said, open));
  return isUnclear
    ? askWhich(intake, admitted, open)
    : [answerOf(intake, admitted, { ...only, said })];
}

/** Somebody else's words, a command, or a file with a caption are no answer. */
function mayAnswer({ what }: Admitted): boolean {
  return (
    what.kind === "message" &&
    !what.is_forwarded &&
    what.command === null &&
    what.attachments.length === 0
  );
}

/** The open question whose card the message replies to, and no other; else all that wait in the person's session. */
function meant(intake: Intake, admitted: Admitted): readonly Approval[] {
  const { read } = intake;
  const card = repliedTo(intake, admitted);
  if (card === undefined) return openQuestions(read, sessionKey(admitted.place));
  const approval = read.get(approvalTable, card.about ?? "");
  return approval?.state === "pending" ? [approval] : [];
}

function repliedTo({ read }: Intake, { place, what }: Admitted): DeliveryRow | undefined {
  const messageId = "reply_to" in what ? what.reply_to : null;
  if (messageId === null) return undefined;
  return read
    .select(deliveryTable, {
      index: "by_lane",
      equals: [place.connector_id, place.conversation_scope, 0],
      descending: true,
      limit: repliesSeen,
    })
    .find(({ kind, message_ids }) => kind === "question" && message_ids.includes(messageId));
}

function isAskedOf({ kind, approvers }: Approval, admitted: Admitted): boolean {
  return kind === "question" && approvers.includes(nameOf(admitted));
}

function nameOf({ place: { connector_id, user_scope } }: Admitted): string {
  return personName(connector_id, user_scope);
}

/** Said to a card, and of no meaning without it. */
function isChoice(said: string, open: readonly Approval[]): boolean {
  const word = said.toLowerCase().replace(/[.!]+$/, "");
  const isOption = open.some(({ kind, options }) => kind !== "question" && options.includes(word));
  return isOption || (open.length > 0 && consents.has(word));
}

const consents: ReadonlySet<string> = new Set([
  ..."y yes yep yeah ok okay sure allow approve approved go n no nope deny".split(" "),
  "allow once",
  "do it",
  "go ahead",
  "for this session",
  "👍",
  "✅",
  "👎",
  "❌",
]);

/** The number or the text of an option is that option; anything else stands for itself. */
function answerOf(
  { channels }: Intake,
  admitted: Admitted,
  { said, ...approval }: Approval & { readonly said: string },
): SendParams {
  const { options } = approval;
  const by = nameOf(admitted);
  const { place, what } = admitted;
  const named = options.find((option) => option.toLowerCase() === said.toLowerCase());
  const numbered = /^\d{1,2}$/.test(said) ? options[Number(said) - 1] : undefined;
  const reply_to = messageIn(what);
  return {
    to: approval.address,
    event: {
      type: "approval.answer",
      value: named ?? numbered ?? said,
      by,
      binding: approval.binding,
      ...barringOf(channels, approval, by),
    },
    trace: place.trace_id,
    refused: { type: "message.refused", scope: place.conversation_scope, reply_to },
  };
}

function sendToCards(
  intake: Intake,
  admitted: Admitted,
  open: readonly Approval[],
): readonly SendParams[] {
  const names = open.map(({ approval_id }) => approval_id).join(", ");
  const text = `What is typed decides nothing here: the card of ${names} has the buttons, or says who has them. I have not passed this message on.`;
  return tellWithCards(intake, admitted, { open, text });
}

function askWhich(
  intake: Intake,
  admitted: Admitted,
  open: readonly Approval[],
): readonly SendParams[] {
  const names = open.map(({ approval_id }) => approval_id).join(", ");
  const text = `Which one do you answer? ${names} wait. Reply to the card that you mean, or use its buttons; I have not passed this message on.`;
  return tellWithCards(intake, admitted, { open, text });
}

const mostAskedAgain = 5;

type Telling = { readonly open: readonly Approval[]; readonly text: string };

function tellWithCards(
  { read, at }: Intake,
  { place, what }: Admitted,
  { open, text }: Telling,
): readonly SendParams[] {
  const { connector_id, conversation_scope: scope, trace_id: trace } = place;
  const reply_to = messageIn(what);
  const cards = open
    .slice(0, mostAskedAgain)
    .flatMap((approval) => askAgain(read, approval, { connector_id, scope, at }));
  const notice = dueIn(connector_id, scope, { kind: "notice", text, reply_to });
  return [notice, ...cards].map((due) => ({ ...due, trace }));
}
