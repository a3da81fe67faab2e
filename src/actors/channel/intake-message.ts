import type { Admitted } from "../../gateway/judged.ts";
import { messageIn } from "../../gateway/standing.ts";
import type { SendParams } from "../../schema/effect.ts";
import type { QueueMode } from "../../schema/queue.ts";
import { sessionAddress, sessionKey } from "../session-key.ts";
import type { Intake } from "./intake-parts.ts";
import { toldToAgent, trustOfPassedOn } from "./passed-on.ts";

const queueCap = 100;

/** A run that works would not learn that these are a stranger's words: they begin another. */
const ofItsOwn = (queue: QueueMode): QueueMode => (queue === "steer" ? "follow_up" : queue);

/** Into the person's session with the agent, which is made where there is none; who wrote it hears if it is not taken. */
export function sayToAgent(
  { channels }: Intake,
  { place, what }: Admitted,
  text: string,
): readonly SendParams[] {
  const { trace_id: trace, ...spot } = place;
  const key = sessionKey(spot);
  const { ttlMs: ttl_ms, queue } = channels.sessions();
  const trust = trustOfPassedOn(what);
  const said = { type: "message.received", text: toldToAgent(what, text), ttl_ms };
  const input = { key, agent_id: place.agent_id, queue_cap: queueCap, ttl_ms };
  const reply_to = messageIn(what);
  return [
    {
      to: sessionAddress(key),
      event: trust === undefined ? { ...said, queue } : { ...said, queue: ofItsOwn(queue), trust },
      trace,
      create: { machine: "session", input, supervisor: "system" },
      refused: { type: "message.refused", scope: place.conversation_scope, reply_to },
    },
  ];
}
