import type { Lookup } from "../../engine/engine.ts";
import { saysSomething } from "../../machines/download-rules.ts";
import type { WaitingMessage } from "../../schema/contexts.ts";
import type { SendParams } from "../../schema/effect.ts";
import { dueIn } from "./announce.ts";
import { connectorAddress } from "./channels.ts";
import { sayToAgent } from "./intake-message.ts";
import type { IntakeParts } from "./intake-parts.ts";
import { missedWord, textWithFiles } from "./sent-file-words.ts";

/** A message whose files are here, to its agent; what could not be had is said to its person first. */
export function createHandMessage(parts: IntakeParts): Lookup {
  return (read, { message: handed }, { at, seq }) => {
    const message = handed as unknown as WaitingMessage;
    const { place, conversation, said } = message;
    const refusedTo = connectorAddress(place.connector_id);
    const admitted = { place, conversation, what: said };
    const text = textWithFiles(message);
    const sent = saysSomething(message)
      ? sayToAgent({ ...parts, read, at, seq }, admitted, text)
      : [];
    return [...missedTold(message), ...sent.map((one) => ({ ...one, refusedTo }))];
  };
}

function missedTold(message: WaitingMessage): readonly SendParams[] {
  const { place, said } = message;
  const text = missedWord(message);
  if (text === undefined) return [];
  const notice = { kind: "notice", text, reply_to: said.message_id } as const;
  const due = dueIn(place.connector_id, place.conversation_scope, notice);
  return [{ ...due, trace: place.trace_id }];
}
