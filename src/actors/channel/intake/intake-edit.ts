import type { Admitted } from "../../../gateway/judged.ts";
import { connectorUpdateTable } from "../../../schema/rows/channel-rows.ts";
import type { SendParams } from "../../../schema/effect.ts";
import type { InboundWhat } from "../../../schema/inbound.ts";
import { runTable } from "../../../schema/rows/run-rows.ts";
import { type InboxMessage, inboxTable } from "../../../schema/rows/session-rows.ts";
import { sessionAddress, sessionKey } from "../../session-key.ts";
import { fileLinesIn } from "../files/sent-file-words.ts";
import { waitingForFiles } from "../files/waiting-for-files.ts";
import { dueIn } from "../sending/announce.ts";
import type { Intake } from "./intake-parts.ts";
import { toldToAgent } from "./passed-on.ts";

type Edit = Extract<InboundWhat, { readonly kind: "edit" }>;

/** A message that still waits says what it says now. Of one that is being answered the person hears that it was read; what was
 *  answered stays as it is. */
export function replaceSaid(
  { read }: Intake,
  { place }: Admitted,
  edit: Edit,
): readonly SendParams[] {
  const { connector_id, conversation_scope: scope, trace_id: trace } = place;
  const { message_id } = edit;
  const [said] = read.select(connectorUpdateTable, {
    index: "by_message",
    equals: [connector_id, scope, message_id],
    limit: 1,
  });
  if (said?.verdict !== "accepted") return [];
  const address = sessionAddress(sessionKey(place));
  const waiting = read
    .select(inboxTable, { index: "by_owner", equals: [address] })
    .find((message) => message.trace === said.trace_id);
  const changed = waiting === undefined ? "" : textNow(edit, waiting);
  if (waiting !== undefined && changed.trim() !== "") {
    const text = toldToAgent(edit, changed);
    return [{ to: address, event: { type: "message.edited", seq: waiting.seq, text }, trace }];
  }
  const [run] = read.select(runTable, { index: "by_trace", equals: [said.trace_id], limit: 1 });
  const isWorking = run !== undefined && run.state === null;
  const isBeingFetched = waitingForFiles(read, place).some(
    (message) => message.said.message_id === message_id,
  );
  if (!isWorking && !isBeingFetched) return [];
  const words = "I have read that message already; send what you changed as a new one.";
  const notice = { kind: "notice", text: words, reply_to: message_id } as const;
  return [{ ...dueIn(connector_id, scope, notice), trace }];
}

/** The files that came with it stay. */
function textNow({ text, attachments }: Edit, waiting: InboxMessage): string {
  const files = attachments.length === 0 ? "" : fileLinesIn(waiting.text);
  return [text, files].filter((part) => part.trim() !== "").join("\n\n");
}
