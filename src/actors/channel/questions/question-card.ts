import type { CardPart } from "../../../schema/outbound.ts";
import type { Approval } from "../../../schema/rows/permission-rows.ts";
import type { ShownApproval } from "../../../schema/socket/protocol.ts";
import {
  answerOf,
  type ApprovalFact,
  approvalTitle,
  callFacts,
  postedFacts,
} from "../../../text/approval-facts.ts";
import { fitsCard } from "../../../text/card-text.ts";
import { showApproval } from "../../../text/shown-approval.ts";
import { shown } from "../../../text/shown.ts";
import { isOnButton, mostChoices } from "./question-buttons.ts";
import type { SessionPlace } from "../../../schema/session-place.ts";
import { type Asked, askedIn } from "./question-places.ts";

/** What a question's card says: the facts that are shown elsewhere too, in the same order. What others wrote stands in parts that
 *  channels show as code. */

export type Card = {
  readonly parts: readonly CardPart[];
  /** Nothing of what is asked is left out. */
  readonly isWhole: boolean;
};

/** @param scope the conversation that it is posted in */
export function openCard(approval: Approval, scope: string): Card {
  const asked = askedIn(approval);
  const about = showApproval(approval);
  const where = whereabouts(asked, scope);
  const head = [titled(about), ...where];
  const whole = [...head, ...contentOf(about)];
  if (fitsCard(whole)) return { parts: whole, isWhole: true };
  const told = facts([...callFacts(about).slice(0, 1), ...postedFacts(about).slice(-1)]);
  return { parts: [...head, ...told, tooLong(about)], isWhole: false };
}

/** How it ended: by whom, when, how far it reaches. */
export function endedCard(approval: Approval, scope: string): readonly CardPart[] {
  const about = showApproval(approval);
  const { home } = askedIn(approval);
  const where = scope === home.conversation_scope ? [] : [privateChat(home)];
  const head = [titled(about), ...where];
  const answer = answerParts(about);
  const whole = [...head, ...contentOf(about), ...answer];
  if (fitsCard(whole)) return whole;
  const end = [...head, ...facts(postedFacts(about).slice(-1))];
  return fitsCard([...end, ...answer]) ? [...end, ...answer] : [...end, line(elsewhere(about))];
}

/** Of a card whose question was posted again. */
export function olderCard(approval: Approval): readonly CardPart[] {
  return [
    { kind: "title", text: approvalTitle(showApproval(approval)) },
    line("Asked again below."),
  ];
}

function titled(about: ShownApproval): CardPart {
  const { kind, state, agent_id } = about;
  const asks = kind === "call" && state === "pending" ? `: may ${shown(agent_id)} do this?` : "";
  return { kind: "title", text: `${approvalTitle(about)}${asks}` };
}

/** For somebody who is asked away from the conversation, or told there who is asked. */
function whereabouts({ home, deciders, ...asked }: Asked, scope: string): CardPart[] {
  if (scope !== home.conversation_scope)
    return [
      line("It is asked in another conversation, whose person may not decide it."),
      privateChat(home),
    ];
  if (asked.mayDecideAtHome) return [];
  if (asked.elsewhere.length > 0)
    return [
      line("You may not decide this; who may is asked in a chat of their own."),
      fact(["asked", asked.elsewhere.join(", ")]),
    ];
  const others = deciders.length === 0 ? "" : ` or, in this channel, ${deciders.join(", ")}`;
  return [line(`You may not decide this. The owner may, at the machine${others}.`)];
}

function privateChat({ connector_id, user_scope }: SessionPlace): CardPart {
  return fact(["conversation", `${connector_id}, private chat of ${user_scope}`]);
}

function contentOf(about: ShownApproval): CardPart[] {
  const { kind, summary, input } = about;
  const isCall = kind === "call" || kind === "outcome";
  const known = [...facts(callFacts(about)), ...facts(postedFacts(about))];
  if (isCall) return [...known, ...inputParts(input)];
  return [code(summary), ...optionParts(about), ...known];
}

/** Every key with its whole value. */
function inputParts(input: ShownApproval["input"]): CardPart[] {
  const entries = Object.entries(input);
  if (entries.length === 0) return [line("with no input")];
  return entries.flatMap(([key, value]) => [
    isPlainKey.test(key) ? line(`${key}:`) : code(`${JSON.stringify(key)}:`),
    code(typeof value === "string" ? value : JSON.stringify(value, null, 2)),
  ]);
}

/** Any other could be taken for words of ours. */
const isPlainKey = /^[\w.-]{1,64}$/;

/** Those that the buttons do not say. */
function optionParts({ kind, options, state }: ShownApproval): CardPart[] {
  const onButtons = options.length <= mostChoices && options.every(isOnButton);
  if (kind !== "question" || options.length === 0) return [];
  if (state === "pending" && onButtons) return [];
  const told = options.map((option, index) => fact([`${index + 1}`, option]));
  const how = state === "pending" ? [line("Answer with the number, or in your own words.")] : [];
  return [...told, ...how];
}

function answerParts(about: ShownApproval): CardPart[] {
  const answer = answerOf(about);
  return answer === undefined ? [] : [line(`${answer.name}:`), code(answer.text)];
}

function tooLong(about: ShownApproval): CardPart {
  const may = mayNot[about.kind];
  return line(`This is too long to be shown here whole, so ${may}. ${elsewhere(about)}`);
}

const mayNot: { readonly [kind in ShownApproval["kind"]]: string } = {
  call: "it cannot be allowed here, only denied",
  question: "there are no buttons",
  outcome: "it can only be skipped here",
  budget: "it can only be stopped here",
};

function elsewhere({ id }: ShownApproval): string {
  return `At the machine, \`statehive approvals show ${shown(id)}\` shows all of it.`;
}

function facts(known: readonly ApprovalFact[]): CardPart[] {
  return known.map(fact);
}

function fact([name, value]: ApprovalFact): CardPart {
  return { kind: "fact", name, value };
}

function code(text: string): CardPart {
  return { kind: "code", text };
}

function line(text: string): CardPart {
  return { kind: "line", text };
}
