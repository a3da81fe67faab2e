import type { Lookup } from "../../../engine/engine.ts";
import { saysSomething } from "../../../machines/download/download-rules.ts";
import { connectorUpdateTable } from "../../../schema/rows/channel-rows.ts";
import type { WaitingMessage } from "../../../schema/contexts/download-context.ts";
import type { SendParams } from "../../../schema/effect.ts";
import { dueIn, noticeTo } from "../sending/announce.ts";
import { connectorAddress } from "../channels.ts";
import { isLetIn } from "../let-in.ts";
import { sayToAgent } from "../intake/intake-message.ts";
import type { IntakeParts } from "../intake/intake-parts.ts";
import { missedWord, textWithFiles } from "./sent-file-words.ts";

/** A message whose files are here, to its agent; what could not be had is said to its person first. Who was turned out meanwhile is
 *  neither heard nor answered. */
export function createHandMessage(parts: IntakeParts): Lookup {
  return (read, { message: handed }, { at, seq }) => {
    const message = handed as unknown as WaitingMessage;
    const { place, conversation, said } = message;
    if (!isLetIn(read, parts.channels, place)) return [];
    const refusedTo = connectorAddress(place.connector_id);
    const admitted = { place, conversation, what: said };
    const text = textWithFiles(message);
    const sent = saysSomething(message)
      ? sayToAgent({ ...parts, read, at, seq }, admitted, text)
      : [];
    return [...missedTold(message), ...sent.map((one) => ({ ...one, refusedTo }))];
  };
}

/** A fault of ours ended who fetched; what waited there is known by the update that it began with. */
export const tellLostFiles: Lookup = (read, { connector_id, trace }) => {
  const begun = { index: "by_trace", equals: [trace as string], limit: 1 };
  const [update] = read.select(connectorUpdateTable, begun);
  if (update === undefined || update.scope === null) return [];
  const { scope, message_id: reply_to } = update;
  return [dueIn(connector_id as string, scope, { kind: "notice", text: lostText, reply_to })];
};

const lostText =
  "A fault inside statehive kept me from taking this message and what you said after it. Please send it again.";

function missedTold(message: WaitingMessage): readonly SendParams[] {
  const { place, said } = message;
  const text = missedWord(message);
  if (text === undefined) return [];
  return [noticeTo(place, { text, reply_to: said.message_id })];
}
