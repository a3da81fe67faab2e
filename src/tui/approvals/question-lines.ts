import type { ShownApproval } from "../../schema/socket/protocol.ts";
import { answerOf, approvalTitle, askingFacts, callFacts } from "../../text/approval-facts.ts";
import { wrapWords } from "../../text/wrap-words.ts";
import type { Line, Style } from "../frame/frame.ts";
import { blank, line, span, widthOf } from "../frame/line.ts";
import {
  own,
  padded,
  repeated,
  safe,
  safeLines,
  type SafeText,
  wrapped,
} from "../frame/safe-text.ts";

export type Reading = {
  readonly now: number;
  readonly width: number;
  /** The conversation, as people know it. */
  readonly conversation?: string | undefined;
};

const nameWidth = 17;
const grey: Style = { fg: "grey" };

/** Everything that a person should know before they decide, in rows of one width; nothing of the call is left out. What others
 *  wrote stands behind a bar, so that it cannot be taken for ours. */
export function questionLines(approval: ShownApproval, reading: Reading): Line[] {
  const { kind, summary } = approval;
  const isCall = kind === "call" || kind === "outcome";
  return [
    line(own`${safe(approvalTitle(approval))}${askedOf(approval)}`, { bold: true, fg: "yellow" }),
    ...(isCall ? [] : [...barred(summary, reading.width), blank]),
    ...callFacts(approval).flatMap(([name, value]) => fact(safe(name), value, reading.width)),
    ...(isCall ? [...inputLines(approval, reading.width), blank] : []),
    ...optionLines(approval, reading.width),
    ...factLines(approval, reading),
    ...answerLines(approval, reading.width),
  ];
}

function askedOf({ kind, state, agent_id }: ShownApproval): SafeText {
  return kind === "call" && state === "pending" ? own`: may ${safe(agent_id)} do this?` : own``;
}

function factLines(approval: ShownApproval, { now, width, conversation }: Reading): Line[] {
  const facts = askingFacts(approval, now);
  const held = conversation === undefined ? [] : [["conversation", conversation] as const];
  return [...facts, ...held].flatMap(([name, value]) => fact(safe(name), value, width));
}

function fact(name: SafeText, value: string, width: number): Line[] {
  const [first = "", ...rest] = wrapWords(safe(value), Math.max(12, width - nameWidth));
  return [
    [span(padded(name, nameWidth), grey), span(safe(first))],
    ...rest.map((more): Line => [span(repeated(own` `, nameWidth)), span(safe(more))]),
  ];
}

/** Every key with its whole value, as the tool would get it. */
function inputLines({ input }: ShownApproval, width: number): Line[] {
  const entries = Object.entries(input);
  if (entries.length === 0) return fact(own`with`, "nothing", width);
  return editLines(input, width) ?? entries.flatMap((entry) => entryLines(entry, width));
}

/** Any other stands in quotes, so that it cannot be taken for a key with its value. */
const isPlainKey = /^[\w.-]{1,64}$/;

function entryLines([key, value]: [string, unknown], width: number, mark?: Mark): Line[] {
  const name = own`  ${safe(isPlainKey.test(key) ? key : JSON.stringify(key))}`;
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const isLong = widthOf([span(name)]) >= nameWidth;
  const lines = barred(text, width - nameWidth, mark).map((each, index): Line => [
    span(index === 0 && !isLong ? padded(name, nameWidth) : repeated(own` `, nameWidth), grey),
    ...each,
  ]);
  const alone = wrapped(name, Math.max(8, width - 2)).map((part, index) =>
    line(index === 0 ? part : own`  ${part}`, grey),
  );
  return isLong ? [...alone, ...lines] : lines;
}

type Mark = { readonly sign: SafeText; readonly style: Style };

const removed: Mark = { sign: own`- `, style: { fg: "red" } };
const added: Mark = { sign: own`+ `, style: { fg: "green" } };

/** An edit as what goes and what comes in its place. */
function editLines(input: ShownApproval["input"], width: number): Line[] | undefined {
  const { old_text, new_text, ...others } = input;
  if (typeof old_text !== "string" || typeof new_text !== "string") return undefined;
  return [
    ...Object.entries(others).flatMap((entry) => entryLines(entry, width)),
    ...entryLines(["old_text", old_text], width, removed),
    ...entryLines(["new_text", new_text], width, added),
  ];
}

function barred(text: string, width: number, mark?: Mark): Line[] {
  const bar = span(own`│ `, grey);
  const sign = mark === undefined ? [] : [span(mark.sign, mark.style)];
  const room = Math.max(8, width - 2 - sign.length * 2);
  return safeLines(text).flatMap((each) =>
    wrapped(each, room).map((part): Line => [bar, ...sign, span(part, mark?.style)]),
  );
}

function optionLines({ kind, options }: ShownApproval, width: number): Line[] {
  if (kind === "call" || options.length === 0) return [];
  const told = options.flatMap((option, index) => fact(own`${index + 1}.`, option, width));
  return [line(own`the answers that it offers`, { bold: true }), ...told, blank];
}

function answerLines(approval: ShownApproval, width: number): Line[] {
  const answer = answerOf(approval);
  if (answer === undefined) return [];
  return [blank, line(own`${safe(answer.name)}`, { bold: true }), ...barred(answer.text, width)];
}
