import { actorTable } from "../../../engine/tables.ts";
import type { Admitted } from "../../../gateway/judged.ts";
import { messageIn } from "../../../gateway/standing.ts";
import type { SendParams } from "../../../schema/effect.ts";
import type { QueueMode } from "../../../schema/queue.ts";
import { sessionAddress, sessionKey } from "../../session-key.ts";
import { noticeTo } from "../sending/announce.ts";
import type { Intake } from "./intake-parts.ts";
import { toldToAgent, trustOfPassedOn } from "./passed-on.ts";

const queueCap = 100;

const closingText =
  "I am still stopping what I did before, and have not taken this message. Send it again once I have said that I stopped.";

/** A run that works would not learn that these are a stranger's words: they begin another. */
const ofItsOwn = (queue: QueueMode): QueueMode => (queue === "steer" ? "follow_up" : queue);

/** Into the person's session with the agent, which is made where there is none; who wrote it hears if it is not taken. */
export function sayToAgent(
  { channels, read }: Intake,
  { place, what }: Admitted,
  text: string,
): readonly SendParams[] {
  const { trace_id: trace, ...spot } = place;
  const key = sessionKey(spot);
  const address = sessionAddress(key);
  const reply_to = messageIn(what);
  if (read.get(actorTable, address)?.state === "closing")
    return [noticeTo(place, { text: closingText, reply_to })];
  const { ttlMs: ttl_ms, queue } = channels.sessions();
  const trust = trustOfPassedOn(what);
  const scope = place.conversation_scope;
  const said = { type: "message.received", text: toldToAgent(what, text), ttl_ms };
  const input = { key, agent_id: place.agent_id, queue_cap: queueCap, ttl_ms };
  return [
    {
      to: address,
      event: trust === undefined ? { ...said, queue } : { ...said, queue: ofItsOwn(queue), trust },
      trace,
      create: { machine: "session", input, supervisor: "system" },
      refused: { type: "message.refused", scope, reply_to },
    },
  ];
}
