import type { Admitted } from "../../../gateway/judged.ts";
import type { RowReader } from "../../../ports/store.ts";
import { type ConnectorUpdate, connectorUpdateTable } from "../../../schema/rows/channel-rows.ts";
import type { SendParams } from "../../../schema/effect.ts";
import type { InboundPlace, InboundWhat } from "../../../schema/inbound.ts";
import { runTable, taskTable } from "../../../schema/rows/run-rows.ts";
import { inboxTable } from "../../../schema/rows/session-rows.ts";
import { quoteIn } from "../../../text/answered-quote.ts";
import { sessionAddress, sessionKey } from "../../session-key.ts";
import { fileLinesIn } from "../files/sent-file-words.ts";
import { waitingForFiles } from "../files/waiting-for-files.ts";
import { noticeTo } from "../sending/announce.ts";
import type { Intake } from "./intake-parts.ts";
import { toldToAgent } from "./passed-on.ts";

type Edit = Extract<InboundWhat, { readonly kind: "edit" }>;

const wasReadText = "I have read that message already; send what you changed as a new one.";

/** A message that still waits says what it says now. Of one that is being answered the person hears that it was read; what was
 *  answered stays as it is. */
export function replaceSaid(
  { read }: Intake,
  { place }: Admitted,
  edit: Edit,
): readonly SendParams[] {
  const { trace_id: trace } = place;
  const { message_id } = edit;
  const said = updatesOf(read, place, message_id).find(({ verdict }) => verdict === "accepted");
  if (said === undefined) return [];
  const address = sessionAddress(sessionKey(place));
  const waiting = read
    .select(inboxTable, { index: "by_owner", equals: [address] })
    .find((message) => message.trace === said.trace_id);
  const text = waiting === undefined ? "" : textNow(edit, waiting.text);
  if (waiting !== undefined && text !== "")
    return [{ to: address, event: { type: "message.edited", seq: waiting.seq, text }, trace }];
  const readAs = textInWork(read, said) ?? textOnTheWay(read, place, message_id);
  if (readAs === undefined || readAs === textNow(edit, readAs)) return [];
  return [noticeTo(place, { text: wasReadText, reply_to: message_id })];
}

/** In a group: one that did not name the bot, or that the bot was not shown, and that names it now. People may change what they wrote
 *  for two days, and what came is known for longer. */
export function isHeardFirst(
  { read }: Intake,
  { place, conversation }: Admitted,
  { message_id }: Edit,
): boolean {
  if (conversation !== "group") return false;
  const known = updatesOf(read, place, message_id);
  return known.every(({ verdict }) => verdict === "not_addressed");
}

/** All that came of a message, its changes too. */
function updatesOf(
  read: RowReader,
  { connector_id, conversation_scope }: InboundPlace,
  messageId: string,
): readonly ConnectorUpdate[] {
  const equals = [connector_id, conversation_scope, messageId];
  return read.select(connectorUpdateTable, { index: "by_message", equals });
}

/** The files that came with it stay, and what it answers is told as it was: others may have changed that meanwhile, and the run would not
 *  learn that it holds new words of theirs. @returns "" where nothing is left */
function textNow(edit: Edit, before: string): string {
  const files = edit.attachments.length === 0 ? "" : fileLinesIn(before);
  const text = [edit.text, files].filter((part) => part.trim() !== "").join("\n\n");
  if (text === "") return "";
  const told = toldToAgent({ ...edit, quoted: null }, text);
  const quote = edit.quoted ? quoteIn(before) : "";
  return quote === "" ? told : `${quote}\n${told}`;
}

/** What a run that works was told of it. Telegram speaks of edits also where no word has changed. */
function textInWork(read: RowReader, { trace_id }: ConnectorUpdate): string | undefined {
  const [run] = read.select(runTable, { index: "by_trace", equals: [trace_id], limit: 1 });
  return run?.state === null ? read.get(taskTable, run.task_id)?.text : undefined;
}

function textOnTheWay(read: RowReader, place: InboundPlace, id: string): string | undefined {
  const { said } = waitingForFiles(read, place).find((one) => one.said.message_id === id) ?? {};
  return said === undefined ? undefined : toldToAgent(said, said.text);
}
