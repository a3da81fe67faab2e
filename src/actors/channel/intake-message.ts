import type { Admitted } from "../../gateway/judged.ts";
import type { SendParams } from "../../schema/effect.ts";
import { sessionAddress, sessionKey } from "../session-key.ts";
import type { Intake } from "./intake-parts.ts";

const queueCap = 100;

/** Into the person's session with the agent, which is made where there is none; who wrote it hears if it is not taken. */
export function sayToAgent(
  { channels }: Intake,
  { place, what }: Admitted,
  text: string,
): readonly SendParams[] {
  const { trace_id: trace, ...spot } = place;
  const key = sessionKey(spot);
  const { ttlMs: ttl_ms, queue } = channels.sessions();
  const input = { key, agent_id: place.agent_id, queue_cap: queueCap, ttl_ms };
  const reply_to = "message_id" in what ? what.message_id : null;
  return [
    {
      to: sessionAddress(key),
      event: { type: "message.received", text, queue, ttl_ms },
      trace,
      create: { machine: "session", input, supervisor: "system" },
      refused: { type: "message.refused", scope: place.conversation_scope, reply_to },
    },
  ];
}
