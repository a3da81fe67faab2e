import type { CommittedReader } from "../../../ports/store.ts";
import { type DeliveryRow, deliveryTable } from "../../../schema/rows/channel-rows.ts";
import type { OutboundMessage } from "../../../schema/outbound.ts";
import { runTable } from "../../../schema/rows/run-rows.ts";
import { composeQuestion } from "../questions/compose-question.ts";
import { mayBeResent, resendButton } from "./undelivered.ts";

/** What a delivery says, from the rows that it tells of.
 *  @returns undefined: there is nothing to say any more */
export async function composeMessage(
  read: CommittedReader,
  row: DeliveryRow,
): Promise<OutboundMessage | undefined> {
  const { scope, reply_to } = row;
  const plain = { scope, buttons: [], reply_to, wants_reply: false };
  switch (row.kind) {
    case "notice":
      return { ...plain, ...(await noticeOf(read, row)) };
    case "reply":
      return { ...plain, body: { kind: "markdown", text: await replyOf(read, row.about ?? "") } };
    case "question":
    case "outcome":
      return composeQuestion(read, row);
  }
}

/** One about a delivery offers to send that again, while it helps. */
async function noticeOf(read: CommittedReader, { text, about }: DeliveryRow) {
  const body = { kind: "plain", text: text ?? "" } as const;
  const missed = about === null ? undefined : await read.get(deliveryTable, about);
  const mayHelp = missed !== undefined && mayBeResent(missed);
  return { body, buttons: mayHelp ? [[resendButton(missed)]] : [] };
}

async function replyOf(read: CommittedReader, runId: string): Promise<string> {
  const run = await read.get(runTable, runId);
  if (run?.reply !== null && run?.reply !== undefined) return run.reply;
  return run?.state === "cancelled" ? "Stopped." : "The run has ended without an answer.";
}
